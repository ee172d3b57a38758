// Days in a row with at least one answer. One missed day a week is forgiven; a date that was flown over was never missed.
import { dayAt, daysBetween } from "./dates.js";

/** @typedef {import("./dates.js").Moment} Moment */
/** @typedef {{length: number, longest: number, today: boolean, graced: string[]}} Streak `graced`: the days after which one was forgiven */

const GRACE_EVERY_DAYS = 7;

/**
 * @param {Moment[]} active moments of study, in the order in which they happened @param {Moment} now
 * @returns {Streak}
 */
export const streakOf = (active, now) => {
  let length = 0;
  let longest = 0;
  /** @type {string[]} */
  let graced = [];
  /** @type {Moment | undefined} */
  let last;
  for (const moment of active) {
    // The same day again, or, after a flight to the west, an earlier one: it has been counted.
    if (last && moment.day <= last.day) {
      last = { ...moment, day: last.day };
      continue;
    }
    const step = last && stepOver(last, moment, graced);
    if (step === "broken" || !step) [length, graced] = [0, []];
    if (step === "graced" && last) graced.push(last.day);
    length += 1;
    longest = Math.max(longest, length);
    last = moment;
  }
  if (!last) return { length: 0, longest: 0, today: false, graced: [] };
  const today = last.day >= now.day;
  if (!today && stepOver(last, now, graced) === "broken") [length, graced] = [0, []];
  return { length, longest, today, graced };
};

/** @param {Moment} from @param {Moment} to @param {string[]} graced @returns {"next" | "graced" | "broken"} */
const stepOver = (from, to, graced) => {
  const missed = daysMissed(from, to);
  if (missed === 0) return "next";
  const lastGrace = graced.at(-1);
  return missed === 1 && (!lastGrace || daysBetween(lastGrace, from.day) >= GRACE_EVERY_DAYS) ? "graced" : "broken";
};

/** Whole days between two moments on which nothing was done; in another time zone, by the calendar that is kinder. @param {Moment} from @param {Moment} to */
const daysMissed = (from, to) => {
  const gaps = [daysBetween(from.day, to.day)];
  if (from.zone !== to.zone) {
    for (const { offset } of [from, to]) gaps.push(daysBetween(dayAt(from.at, offset), dayAt(to.at, offset)));
  }
  return Math.max(0, Math.min(...gaps) - 1);
};
