// Is an answer right? Pure, so that it can be tested without a page.

/** @param {boolean[]} chosen @param {boolean[]} right */
export const choiceIsRight = (chosen, right) => chosen.length === right.length && chosen.every((mark, index) => mark === right[index]);

/** A number as people type it: 12.5, 12,5, 1,024 and 1/3 are read; null where there is none. @param {string} typed */
export const readNumber = (typed) => {
  const text = typed
    .trim()
    .replace(/\s+/g, "")
    .replace("\u2212", "-")
    // A comma before three digits groups thousands, unless nothing stands before it: 0,125 is an eighth.
    .replace(/(?<=[1-9]\d*(?:,\d{3})*),(?=\d{3}(\D|$))/g, "")
    .replace(",", ".");
  const number = text.match(/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i);
  if (!number) return null;
  const divisor = text.slice(number[0].length).match(/^\/(\d+\.?\d*)/);
  return divisor ? Number(number[0]) / Number(divisor[1]) : Number(number[0]);
};

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
