// Is an answer right? Pure, so that it can be tested without a page.

/** @param {boolean[]} chosen @param {boolean[]} right */
export const choiceIsRight = (chosen, right) => chosen.length === right.length && chosen.every((mark, index) => mark === right[index]);

/** A number as people type it: 12.5, 12,5 and 1,024 are read; null where there is none. @param {string} typed */
export const readNumber = (typed) => {
  const text = typed
    .trim()
    .replace(/\s+/g, "")
    .replace(/(?<=\d),(?=\d{3}(\D|$))/g, "")
    .replace(",", ".");
  const number = text.match(/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i);
  return number ? Number(number[0]) : null;
};

/** @param {number} given @param {number} value @param {number} tolerance absolute */
export const numberIsRight = (given, value, tolerance) => Math.abs(given - value) <= tolerance + 1e-9 * Math.abs(value);
