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
