// When things really happened, where a clock was wrong and then corrected: neither a lost day nor one that counts twice.
import { dayAt, MS_PER_DAY } from "./dates.js";

/** @typedef {import("./event.js").StudyEvent} StudyEvent */

// A device that is a little ahead is no reason to move anything.
const AHEAD_MS = 2 * MS_PER_DAY;

/**
 * The events in the order in which they happened. A device numbers its events; where its clock contradicts the numbers, the stretch that
 * stands against most days of study is moved, by whole days, to where it fits.
 * @param {StudyEvent[]} events @param {number} now @returns {StudyEvent[]}
 */
export const settled = (events, now) => {
  /** @type {Map<string, StudyEvent[]>} */
  const byDevice = new Map();
  for (const event of events) {
    const device = event.device ?? "";
    const own = byDevice.get(device);
    if (own) own.push(event);
    else byDevice.set(device, [event]);
  }
  return [...byDevice.values()].flatMap((own) => settledOnDevice(own, now)).sort(byTime);
};

/** @param {StudyEvent} a @param {StudyEvent} b */
const byTime = (a, b) => a.at - b.at || (a.seq ?? Infinity) - (b.seq ?? Infinity) || (a.id < b.id ? -1 : 1);

/** @param {StudyEvent[]} own @param {number} now */
const settledOnDevice = (own, now) => {
  // Without numbers (nothing could be stored there) there is only the clock to go by.
  const isNumbered = own.every(({ seq }) => seq !== undefined);
  const events = [...own].sort(isNumbered ? (a, b) => Number(a.seq) - Number(b.seq) : byTime);
  const inOrder = events.every((event, index) => event.at <= now + AHEAD_MS && (index === 0 || events[index - 1].at <= event.at));
  if (inOrder) return events;
  const runs = runsOf(events);
  const trusted = trustedRuns(runs, now);
  /** @type {StudyEvent[]} */
  const found = [];
  for (let index = 0; index < runs.length; index++) {
    const stretch = [...runs[index]];
    if (trusted.has(index)) {
      found.push(...stretch);
      continue;
    }
    while (index + 1 < runs.length && !trusted.has(index + 1) && stretch[stretch.length - 1].at <= runs[index + 1][0].at) {
      stretch.push(...runs[++index]);
    }
    const next = runs.find((_, later) => later > index && trusted.has(later));
    found.push(...fitted(stretch, found.at(-1)?.at ?? -Infinity, next ? next[0].at : now));
  }
  return found;
};

/** A stretch moved by whole days, so that it ends before `latest`; and no event of it before `earliest`. @param {StudyEvent[]} run @param {number} earliest @param {number} latest */
const fitted = (run, earliest, latest) => {
  const [first, last] = [run[0].at, run[run.length - 1].at];
  const days = last > latest ? -Math.ceil((last - latest) / MS_PER_DAY) : first < earliest ? Math.ceil((earliest - first) / MS_PER_DAY) : 0;
  return run.map((event) => {
    const at = Math.max(Math.min(event.at + days * MS_PER_DAY, latest), earliest);
    return at === event.at ? event : { ...event, at, day: dayAt(at, event.offset) };
  });
};

/** Stretches of one day in which the clock runs forward. @param {StudyEvent[]} events */
const runsOf = (events) => {
  /** @type {StudyEvent[][]} */
  const runs = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && run[0].day === event.day && run[run.length - 1].at <= event.at) run.push(event);
    else runs.push([event]);
  }
  return runs;
};

/**
 * The chain of runs, forward in time, that holds the most days; of two equal ones the later clock is believed.
 * @param {StudyEvent[][]} runs @param {number} now @returns {Set<number>}
 */
const trustedRuns = (runs, now) => {
  const days = runs.map(() => 0);
  const from = runs.map(() => -1);
  let best = -1;
  for (const [index, run] of runs.entries()) {
    if (run[run.length - 1].at > now + AHEAD_MS) continue;
    days[index] = 1;
    for (let earlier = 0; earlier < index; earlier++) {
      const other = runs[earlier];
      if (!days[earlier] || other[other.length - 1].at > run[0].at) continue;
      const held = days[earlier] + (other[0].day === run[0].day ? 0 : 1);
      if (held >= days[index]) [days[index], from[index]] = [held, earlier];
    }
    if (best < 0 || days[index] >= days[best]) best = index;
  }
  const trusted = new Set();
  for (let index = best; index >= 0; index = from[index]) trusted.add(index);
  return trusted;
};
