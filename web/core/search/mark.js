// The words of a text that a query found, for `<mark>`. It runs with every key, for every text shown: no pattern is made of the words.

/** A run of letters and digits: at its beginning only, since "in" is no part of "contains". */
const RUN = /[\p{L}\p{N}]+/gu;

/**
 * Cuts a text into matched and other stretches.
 * @param {string} text @param {string[]} words as the index has them, lower-case @returns {{text: string, matched: boolean}[]}
 */
export const markMatches = (text, words) => {
  const longest = words.filter((word) => word.length > 1).sort((one, other) => other.length - one.length);
  // Letter for letter, so that places stay what they are; the index's words are ASCII.
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const stretches = [];
  let end = 0;
  for (const { index } of longest.length ? text.matchAll(RUN) : []) {
    const word = longest.find((one) => lower.startsWith(one, index));
    if (!word || index < end) continue;
    if (index > end) stretches.push({ text: text.slice(end, index), matched: false });
    end = index + word.length;
    stretches.push({ text: text.slice(index, end), matched: true });
  }
  if (end < text.length) stretches.push({ text: text.slice(end), matched: false });
  return stretches;
};
