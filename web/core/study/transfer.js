// Progress as a file, out and in: everything or nothing, and what would change is said before it does.
import { asEvent, merged, wrongWith } from "./event.js";

/** @typedef {import("./event.js").StudyEvent} StudyEvent */
/** @typedef {{bite: string, step: string, name: string, text: string, updated: number, base: number}} Text */
/** @typedef {{bite: string, point: string, ticked: boolean, updated: number}} Tick */
/** @typedef {import("../calibration.js").Guess} Guess */
/** @typedef {{events: StudyEvent[], worksheet: Text[], ticks: Tick[], guesses: Guess[]}} Progress */
/** @typedef {{events: StudyEvent[], worksheet: Text[], ticks: Tick[], guesses: Guess[], known: number, replaced: {worksheet: Text[], ticks: Tick[]}}} Change `replaced`: what the newer texts and ticks stand in for */

export const FORMAT = "gpubites-progress";
export const VERSION = 1;
export const LARGEST_BYTES = 64 * 2 ** 20;
const LONGEST_TEXT = 500_000;

/** Why a file cannot be taken in, in words for the reader. */
export class FileProblem extends Error {}

/** @param {Progress} progress @param {string} made a day */
export const asFile = ({ events, worksheet, ticks, guesses }, made) => {
  const byId = (/** @type {StudyEvent} */ a, /** @type {StudyEvent} */ b) => (a.id < b.id ? -1 : 1);
  return `${JSON.stringify({ format: FORMAT, version: VERSION, made, events: [...events].sort(byId), worksheet, ticks, guesses }, null, 1)}\n`;
};

/** The progress in a file. Throws a {@link FileProblem} that says what is wrong. @param {string} text @returns {Progress} */
export const readFile = (text) => {
  if (text.length > LARGEST_BYTES) throw new FileProblem("The file is larger than any progress can be.");
  const file = parsed(text);
  if (typeof file !== "object" || file === null || file.format !== FORMAT) {
    throw new FileProblem("This is no progress of GPU Bites. Choose a file that “Export” made.");
  }
  if (!Number.isInteger(file.version) || file.version < 1) throw new FileProblem("The file does not say which version it has.");
  if (file.version > VERSION)
    throw new FileProblem("A newer edition of the site made this file. Reload this page with a connection, then try again.");
  /** @type {Record<string, any[]>} */
  const { events, worksheet, ticks, guesses = [] } = file; // an earlier edition left the guesses out
  for (const [name, list] of Object.entries({ events, worksheet, ticks, guesses })) {
    if (!Array.isArray(list)) throw new FileProblem(`The file is damaged: \`${name}\` is no list.`);
  }
  for (const [index, event] of events.entries()) {
    const wrong = wrongWith(event);
    if (wrong) throw new FileProblem(`The file is damaged: event ${index + 1} of ${events.length}: ${wrong}.`);
  }
  if (!worksheet.every(isText) || !ticks.every(isTick)) throw new FileProblem("The file is damaged: a worksheet in it cannot be read.");
  if (!guesses.every(isGuess)) throw new FileProblem("The file is damaged: a guess in it cannot be read.");
  return {
    events: merged(events.map(asEvent)),
    worksheet: worksheet.map(({ bite, step, name, text, updated, base }) => ({ bite, step, name, text, updated, base })),
    ticks: ticks.map(({ bite, point, ticked, updated }) => ({ bite, point, ticked, updated })),
    guesses: guesses.map(({ lab, ask, guess, result, factor, updated }) => ({ lab, ask, guess, result, factor, updated })),
  };
};

/** @param {string} text @returns {any} */
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    if (!text.trim()) throw new FileProblem("The file is empty.");
    throw new FileProblem(
      text.trimStart().startsWith("{")
        ? "The file is cut short or damaged: it is not complete JSON."
        : "This is no progress of GPU Bites: it is not JSON.",
    );
  }
};

/** @param {any} value */
const isText = (value) =>
  isRecord(value) &&
  [value.bite, value.step, value.name].every(isShort) &&
  isLong(value.text) &&
  [value.updated, value.base].every(isStamp);
/** @param {any} value */
const isTick = (value) =>
  isRecord(value) && isShort(value.bite) && isLong(value.point) && typeof value.ticked === "boolean" && isStamp(value.updated);
/** @param {any} value */
export const isGuess = (value) =>
  isRecord(value) &&
  [value.lab, value.ask].every(isShort) &&
  [value.guess, value.result].every((said) => isShort(said) || Number.isFinite(said)) &&
  [value.factor, value.updated].every(isStamp);
/** @param {any} value */
const isRecord = (value) => typeof value === "object" && value !== null;
/** @param {any} value */
const isShort = (value) => typeof value === "string" && value.length <= 500;
/** @param {any} value */
const isLong = (value) => typeof value === "string" && value.length <= LONGEST_TEXT;
/** @param {any} value */
const isStamp = (value) => Number.isFinite(value) && value >= 0;

/** What taking `theirs` in would add to `ours`. Taking it in twice adds nothing. @param {Progress} ours @param {Progress} theirs @returns {Change} */
export const changeBy = (ours, theirs) => {
  const known = new Set(ours.events.map(({ id }) => id));
  const texts = newer(ours.worksheet, theirs.worksheet, ({ bite, step }) => JSON.stringify([bite, step]));
  const ticks = newer(ours.ticks, theirs.ticks, ({ bite, point }) => JSON.stringify([bite, point]));
  const events = theirs.events.filter(({ id }) => !known.has(id));
  const guessed = new Set(ours.guesses.map(({ lab, updated }) => JSON.stringify([lab, updated])));
  return {
    events,
    worksheet: texts.added,
    ticks: ticks.added,
    guesses: theirs.guesses.filter(({ lab, updated }) => !guessed.has(JSON.stringify([lab, updated]))),
    known: theirs.events.length - events.length,
    replaced: { worksheet: texts.replaced, ticks: ticks.replaced },
  };
};

/** @template {{updated: number}} Record @param {Record[]} ours @param {Record[]} theirs @param {(record: Record) => string} keyOf */
const newer = (ours, theirs, keyOf) => {
  const there = new Map(ours.map((record) => [keyOf(record), record]));
  const added = theirs.filter((record) => record.updated > (there.get(keyOf(record))?.updated ?? -1));
  return { added, replaced: added.flatMap((record) => there.get(keyOf(record)) ?? []) };
};
