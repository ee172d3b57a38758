// Is an answer right? Pure, so that it can be tested without a page.

/** @param {boolean[]} chosen @param {boolean[]} right */
export const choiceIsRight = (chosen, right) => chosen.length === right.length && chosen.every((mark, index) => mark === right[index]);

/**
 * A number as people type it, 12.5, 12,5, 1,024, ~1e3 and 1/3, with its unit or without. Null where there is none, where more stands beside it
 * (2^20), and where the unit is another one: 2 s are not 2 ms, and typing that is no wrong answer yet.
 * @param {string} typed @param {string} unit
 */
export const readNumber = (typed, unit) => {
  const text = typed
    .replace(/\s+/g, "")
    .replace(/^[~≈=]/, "")
    .replace("\u2212", "-")
    // A comma before three digits groups thousands, unless nothing stands before it: 0,125 is an eighth.
    .replace(/(?<=[1-9]\d*(?:,\d{3})*),(?=\d{3}(\D|$))/g, "")
    .replace(",", ".");
  const found = text.match(/^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\/(\d+\.?\d*))?(.*)$/i);
  if (!found) return null;
  const [, number, divisor = "1", rest] = found;
  const value = Number(number) / Number(divisor);
  return Number.isFinite(value) && namesUnit(rest, unit) ? value : null;
};

/** Is this the unit, its beginning, or nothing? Where a question has none, any word will do. @param {string} typed @param {string} unit */
const namesUnit = (typed, unit) => {
  if (!unit) return !/[\d.,*^+-]/.test(typed);
  const [said, name] = [OTHER_NAMES[typed.toLowerCase()] ?? typed, unit].map(asOne);
  return name.startsWith(said);
};

/** @type {Record<string, string>} */
const OTHER_NAMES = { percent: "%", x: "times", "\u00d7": "times", fold: "times" };

/** `requests/s` and `Request/s` are one unit; an `s` alone is a second. @param {string} unit */
const asOne = (unit) =>
  unit
    .toLowerCase()
    .replace(/\s+/g, "")
    .replace(/(\w{2})s\b/g, "$1");

/** @param {number} given @param {number} value @param {number} tolerance absolute */
export const numberIsRight = (given, value, tolerance) => Math.abs(given - value) <= tolerance + 1e-9 * Math.abs(value);

/** What `gpubites.render.veil` keeps from a glance. @param {string} veil @param {string} question its id @returns {any} */
export const unveil = (veil, question) => {
  const key = new TextEncoder().encode(question);
  const bytes = Uint8Array.from(atob(veil), (letter, index) => letter.charCodeAt(0) ^ key[index % key.length]);
  return JSON.parse(new TextDecoder().decode(bytes));
};

/**
 * Which variant is asked: the same for everybody on a day, another one at the next attempt.
 * @param {string} question its id @param {import("./study/dates.js").Day} day @param {number} attempt from 0 @param {number} many
 */
export const drawVariant = (question, day, attempt, many) => {
  // FNV-1a: a day later is another number altogether.
  let seed = 0x811c9dc5;
  for (const letter of `${question} ${day}`) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return ((seed >>> 8) + attempt) % many;
};

const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/**
 * Is this what was printed? Blanks and capitals do not matter, and numbers may be off by the tolerance.
 * @param {string} typed @param {string} printed @param {number} tolerance
 */
export const outputIsRight = (typed, printed, tolerance) => {
  const [given, right] = [typed, printed].map(partsOf);
  return (
    given.words === right.words &&
    given.numbers.length === right.numbers.length &&
    right.numbers.every((number, index) => numberIsRight(given.numbers[index], number, tolerance))
  );
};

/** @param {string} text */
const partsOf = (text) => {
  const plain = text.replaceAll("\u2212", "-").replace(/(?<=\d),(?=\d{3}(\D|$))/g, "");
  return { words: plain.replace(NUMBER, "#").replace(/\s+/g, "").toLowerCase(), numbers: (plain.match(NUMBER) ?? []).map(Number) };
};
