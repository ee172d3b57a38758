// How a query falls into words, as the index's texts did (src/gpubites/search/words.py), and which words count as the same.

// A number with its decimals, unless letters follow (16bit); else letters and digits.
const WORD = /\d+(?:[.,]\d+)*(?![A-Za-z0-9])|[A-Za-z0-9]+/g;
const HUMP = /(?<=[a-z])(?=[A-Z])/;

/** The words in order, lower-case, stop words and single letters left out; a word with humps, then its pieces. @param {string} text @param {Set<string>} stopWords */
export const wordsOf = (text, stopWords) =>
  wordsWithPieces(text)
    .flat()
    .filter((word) => tells(word, stopWords));

/** Each word with the pieces it is made of: [["flashattention", "flash", "attention"], ["slow"]]. @param {string} text @returns {string[][]} */
export const wordsWithPieces = (text) =>
  (flat(text).match(WORD) ?? []).map((found) => {
    const word = found.replaceAll(",", "");
    const pieces = word.split(HUMP);
    return (pieces.length > 1 ? [word, ...pieces] : [word]).map((piece) => piece.toLowerCase());
  });

/** @param {string} word @param {Set<string>} stopWords */
export const tells = (word, stopWords) => (word.length > 1 || isNumber(word)) && !stopWords.has(word);

/** @param {string} text */
const flat = (text) =>
  text
    .replace(/\bC\+\+/gi, "cpp")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");

/** @param {string} word */
export const isNumber = (word) => /^[\d.]+$/.test(word);

// British → American, for every word alike: where a rule is wrong about a word ("noise"), it is so on both sides.
/** @type {[RegExp, string][]} */
const SPELLINGS = [
  [/(?<=[a-z]{2})our(?=s?$|ed$|ing|able|ful|hood|ite)/, "or"],
  [/(?<=[a-z]{2})is(?=(?:e|es|ed|er|ers|ing|ation|ations|able)$)/, "iz"],
  [/ys(?=(?:e|es|ed|er|ers|ing)$)/, "yz"],
  [/(?<=[a-z]{2}[bt])re(?=s?$)/, "er"],
  [/ogue(?=s?$)/, "og"],
  [/ll(?=(?:ed|er|ers|ing)$)/, "l"],
  [/amme(?=s?$)/, "am"],
  [/^grey/, "gray"],
  [/(?<=[a-z]{2})ence(?=s?$)/, "ense"],
];

/** Singular, in American spelling: kernels → kernel, optimised → optimized. @param {string} word */
export const folded = (word) => {
  if (word.length < 4) return word;
  let american = word;
  for (const [british, replacement] of SPELLINGS) american = american.replace(british, replacement);
  // batches is batch, and caches cache: an e after a hiss is none of the two's.
  const hissing = american.replace(/([sxz]|ch|sh)es?$/, "$1");
  if (hissing !== american) return hissing;
  if (/ies$/.test(american) && american.length > 4) return `${american.slice(0, -3)}y`;
  return /[^suai]s$/.test(american) ? american.slice(0, -1) : american;
};

// Endings that make other words of one root, longest first.
const ENDINGS =
  /(?:iz(?:ations?|ers?|ing|ed|e)?|ations?|ements?|ments?|ness|ingly|ings?|ions?|edly|ed|ers?|ors?|able|ible|al|ally|ly|ences?|enses?|ency|ance|ancy|e|y)$/;

/** The root, roughly: quantization, quantized, quantizing → quant. @param {string} word */
export const rootOf = (word) => {
  const singular = folded(word);
  if (singular.length < 5 || /\d/.test(singular)) return singular;
  const root = singular.replace(ENDINGS, "");
  if (root.length < 3 || !/[aeiouy]/.test(root)) return singular;
  return root.replace(/([^aeiouls])\1$/, "$1");
};
