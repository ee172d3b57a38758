// A query as it was typed or pasted, reduced to what can be looked up.
import { isNumber, tells, wordsWithPieces } from "./words.js";

/**
 * @typedef {{word: string, optional: boolean, last: boolean}} Asked
 * `optional`: a number, which helps where it is found and is not missed elsewhere; `last`: it may not be typed to its end yet
 */
/** @typedef {{words: Asked[], part: string}} Query `part`: the part of a bite that it names, by its anchor */

/** A pasted message can be a page long. */
const MOST_WORDS = 40;
/** Of a whole log the beginning and the end are read: an error is named in one of them. */
const MOST_LETTERS = { first: 4000, last: 8000 };
/** Longer than any name: data, in which there is nothing to look up. The patterns below would try each of its letters as a beginning. */
const DATA = /[\w.+@/\\=-]{200,}/g;
/** Of more words than are looked up, those of such lines come first. */
const COMPLAINS =
  /error|exception|fail|fatal|warn|cannot|can['’]t|could ?n(?:o|['’])t|unable|refused|denied|killed|tim(?:ed )?out|invalid|mismatch/i;

// What differs from one machine and one run to the next.
const PASSING = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colors of a terminal
  /\x1b\[[\d;]*m/g,
  // Which process wrote a line.
  /^\[rank\d+\]:/gm,
  /^[ \t]*Traceback \(most recent call last\):/gm,
  // A frame, with the lines of code below it.
  /^([ \t]*)File ".*(?:\n\1[ \t]+(?!File ").*)*/gm,
  /^[ \t]*at .*:\d+\)$/gm,
  /\bhttps?:\/\/\S+/g,
  /\b[A-Z]:\\\S+/g,
  // Absolute and home paths; relative ones that end in a source file.
  /(?<![\w.])(?:~|\.{1,2})?\/(?:[\w.+@-]+\/)+[\w.+@-]*(?::\d+)*/g,
  /(?:[\w.+-]+\/)*[\w+-]+\.(?:py|pyc|cpp|cc|cu|cuh|h|hpp|c|js|ts|go|rs|so|whl|ipynb)(?:\.\d+)*(?::\d+)*(?!\w)/g,
  /\b0x[\da-f]+\b/gi,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{12,}\b/gi,
  /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}\S*)?/g,
  /\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b(?:pid|tid|rank|line)[ =:]*\d+/gi,
];
const LONGEST_NUMBER = 5;

// How people name the parts of a bite.
/** @type {[RegExp, string][]} */
const PARTS = [
  [/\bred[ -]?flags?\b/i, "red-flags"],
  [/\bmodel[ -]answers?\b/i, "model-answer"],
  [/\bfoot-?guns?\b/i, "footgun"],
  [/\bfollow[ -]?ups?\b/i, "follow-ups"],
  [/\b(?:quiz(?:zes)?|rubrics?)\b/i, "quiz"],
];

/** @param {string} text @param {Set<string>} stopWords @returns {Query} */
export const readQuery = (text, stopWords) => {
  const legible = shortened(text.replaceAll("\r\n", "\n").replace(DATA, " "));
  const named = PARTS.find(([pattern]) => pattern.test(legible));
  const rest = named ? legible.replace(named[0], " ") : legible;
  // "red flags" alone asks for nothing else.
  const asked = /\w/.test(rest) ? rest : legible;
  const unfinished = text.length < MOST_LETTERS.first && /[A-Za-z0-9]$/.test(asked);
  const cleaned = PASSING.reduce((left, pattern) => left.replace(pattern, " "), asked);
  // All of it may look like a path: then it is what is asked for.
  const found = wordsWithPieces(complaintsFirst(/\w\w/.test(cleaned) ? cleaned : asked));
  const telling = piecesAsked(found, stopWords);
  // Stop words alone are better than nothing: "what is it".
  const words = telling.length ? telling : found.map(([word]) => word).filter((word) => word.length > 1);
  const unique = [...new Set(words)].slice(0, MOST_WORDS);
  return {
    words: unique.map((word, index) => ({ word, optional: isNumber(word), last: unfinished && index === unique.length - 1 })),
    part: named && rest !== text ? named[1] : "",
  };
};

/** @param {string} text */
const shortened = (text) => {
  const { first, last } = MOST_LETTERS;
  return text.length > first + last ? `${text.slice(0, first)}\n${text.slice(-last)}` : text;
};

/** A log says most that does not matter, and an error often last. @param {string} text */
const complaintsFirst = (text) => {
  const lines = text.split("\n");
  if (lines.length < 2 || text.split(/\s+/).length <= MOST_WORDS) return text;
  const complaints = lines.filter((line) => COMPLAINS.test(line));
  return [...complaints, ...lines.filter((line) => !complaints.includes(line))].join("\n");
};

/** Of a word with humps its pieces, if they tell anything: they stand in the index wherever the whole does. @param {string[][]} found @param {Set<string>} stopWords */
const piecesAsked = (found, stopWords) =>
  found.flatMap(([word, ...pieces]) => {
    const telling = pieces.filter((piece) => tells(piece, stopWords));
    const asked = telling.length > 1 ? telling : [word];
    return asked.filter((one) => tells(one, stopWords) && !(isNumber(one) && one.length > LONGEST_NUMBER));
  });
