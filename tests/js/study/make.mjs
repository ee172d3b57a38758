// Events and random choices for the tests of studying: the same seed makes the same test.
import { dayAt } from "../../../web/core/study/dates.js";

/** Numbers from 0 to 1. mulberry32. @param {number} seed */
export const randomFrom = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** @template Item @param {() => number} random @param {Item[]} items */
export const pick = (random, items) => items[Math.floor(random() * items.length)];

/** @template Item @param {() => number} random @param {Item[]} items */
export const shuffled = (random, items) => {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other], mixed[index]];
  }
  return mixed;
};

/** `2026-11-30T09:00+01:00` as a moment there. @param {string} iso @param {string} [zone] */
export const moment = (iso, zone) => {
  const [, sign, hours, minutes] = iso.match(/([+-])(\d\d):(\d\d)$/) ?? ["", "+", "00", "00"];
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const at = Date.parse(iso);
  return { at, day: dayAt(at, offset), zone: zone ?? `zone ${offset}`, offset };
};

/** @param {string} id @param {ReturnType<typeof moment>} when @param {object} [rest] @returns {any} */
export const answer = (id, when, rest = {}) => ({
  id,
  ...when,
  kind: "answer",
  question: "q-one",
  bite: "one",
  right: true,
  where: "bite",
  ...rest,
});
