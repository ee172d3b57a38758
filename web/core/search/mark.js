// The words of a text that a query found, for `<mark>`.

/**
 * Cuts a text into matched and other stretches.
 * @param {string} text @param {string[]} words as the index has them @returns {{text: string, matched: boolean}[]}
 */
export const markMatches = (text, words) => {
  const longest = words.filter((word) => word.length > 1).sort((one, other) => other.length - one.length);
  if (!longest.length) return text ? [{ text, matched: false }] : [];
  // At the beginning of a word only: "in" is no part of "contains".
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${longest.map(escaped).join("|")})`, "giu");
  return text
    .split(pattern)
    .map((stretch, index) => ({ text: stretch, matched: index % 2 === 1 }))
    .filter((stretch) => stretch.text);
};

/** @param {string} word */
const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
