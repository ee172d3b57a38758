// From the words of a query to words of the index: as typed, inflected, begun, misspelled, split, joined, and what means the same.
import { editsBetween, forgiven } from "./spelling.js";
import { folded, rootOf } from "./words.js";

/** @typedef {import("./index.js").Index} Index */
/** @typedef {import("./index.js").Word} Word */
/** @typedef {import("./index.js").Known} Known */
/** @typedef {import("./query.js").Asked} Asked */
/** @typedef {{known: Known, quality: number}} Candidate a word of the index that may be meant */
/**
 * @typedef {{asked: number[], slots: Candidate[][], quality: number, how: "word" | "split" | "joined" | "same", said: string}} Reading
 * What words of the query, by number, may stand for: one word, or several that have to be there together.
 */

/** How sure it is that a word of the index is meant. */
const EXACT = 1;
const FOLDED = 0.97;
const ROOT = 0.85;
const ONE_EDIT = 0.75;
const TWO_EDITS = 0.6;
const BEGUN = 0.6;
const SPLIT = 0.95;
const JOINED = 0.95;
const SAME = 0.9;
/** So good that a typing error is out of the question. */
const SURE = 0.8;

const SHORTEST_BEGINNING = 2;
const SHORTEST_SPLIT = 5;
const SHORTEST_PIECE = 2;
const LONGEST_PHRASE = 4;
/** Words of the index that one begun word may stand for. */
const MOST_BEGUN = 40;
/** Words of the index that one word may be a slip of. */
const MOST_SLIPS = 8;
/** In a pasted message unknown words are names of files and functions, for which a search everywhere is in vain. */
const MOST_UNKNOWN = 6;

/** Lookups that are remembered. */
const MOST_REMEMBERED = 400;
/** @type {WeakMap<Index, Map<string, Promise<Candidate[]>>>} */
const remembered = new WeakMap();

/** What was looked up once, for the same word in the next key's query. A failed lookup is tried again. @param {Index} index @param {string} name @param {() => Promise<Candidate[]>} look */
const once = (index, name, look) => {
  /** @type {Map<string, Promise<Candidate[]>>} */
  const known = remembered.get(index) ?? new Map();
  remembered.set(index, known);
  const found = known.get(name);
  if (found) return found;
  if (known.size >= MOST_REMEMBERED) known.clear();
  const looked = look();
  known.set(name, looked);
  looked.catch(() => known.delete(name));
  return looked;
};

/** Every reading of the query's words. @param {Asked[]} words @param {Index} index @returns {Promise<Reading[]>} */
export const readingsOf = async (words, index) => {
  const found = await Promise.all(words.map((asked) => candidatesFor(asked, index)));
  const readings = [
    ...found.map((candidates, number) => wordReading(number, candidates)),
    ...(await Promise.all(words.map((asked, number) => splitReadings(asked, number, found[number], index)))).flat(),
    ...(await joinedReadings(words, index)),
    ...(await sameReadings(words, index)),
  ];
  const explained = new Set(readings.filter((reading) => reading.slots.every((slot) => slot.length)).flatMap((reading) => reading.asked));
  const unknown = words.map((_, number) => number).filter((number) => !explained.has(number) && !words[number].optional);
  if (words.length <= MOST_UNKNOWN) {
    for (const number of unknown) readings.push(wordReading(number, await misspelledAnywhere(words[number].word, index)));
  }
  return readings.filter((reading) => reading.slots.every((slot) => slot.length));
};

/** @param {number} number @param {Candidate[]} candidates @returns {Reading} */
const wordReading = (number, candidates) => ({ asked: [number], slots: [candidates], quality: 1, how: "word", said: "" });

/** @param {Asked} asked @param {Index} index */
const candidatesFor = (asked, index) => once(index, `${asked.word} ${asked.optional} ${asked.last}`, () => lookUp(asked, index));

/** @param {Asked} asked @param {Index} index */
const lookUp = async ({ word, optional, last }, index) => {
  if (optional || (!last && word.length <= SHORTEST_BEGINNING)) {
    // What begins with two letters lies in many shards, and an abbreviation that is known is meant.
    const exact = await exactly(word, index);
    if (optional || exact.length) return exact;
  }
  const known = await wordsAround(word, index);
  const sure = inflected(word, known);
  const begun = word.length >= SHORTEST_BEGINNING ? begunWith(word, known, sure.length > 0, last) : [];
  // Half a word is more likely than a slip.
  const half = last && begun.some(({ known }) => known.strong);
  // A word that stands only in texts may be a slip of one that bites are about: "wrap divergence".
  const slips = half || sure.some(({ known }) => known.strong) ? [] : await misspelledHere(word, known, sure.length > 0, index);
  return best([...sure, ...begun, ...slips]);
};

/** @param {string} word @param {Index} index @returns {Promise<Candidate[]>} */
const exactly = async (word, index) => {
  const known = await index.word(word);
  return known ? [{ known, quality: EXACT }] : [];
};

/** The words that begin as the root of this one does. @param {string} word @param {Index} index */
const wordsAround = async (word, index) => {
  const root = rootOf(word);
  const other = [...word].findIndex((letter, place) => letter !== root[place]);
  const shards = await index.shardsFrom(other < SHORTEST_BEGINNING ? word : word.slice(0, other));
  return shards.flatMap((shard) => shard.words);
};

/** The word itself and others of its root. @param {string} word @param {Known[]} known @returns {Candidate[]} */
const inflected = (word, known) => {
  const [beginning, fold, root] = [word.slice(0, 2), folded(word), rootOf(word)];
  return known
    .filter((one) => one.word.startsWith(beginning))
    .map((one) => ({ known: one, quality: one.word === word ? EXACT : one.folded === fold ? FOLDED : one.root === root ? ROOT : 0 }))
    .filter(({ quality }) => quality);
};

/**
 * Words that begin so. The fewer letters are missing the better, and a whole word that is known is most likely meant.
 * @param {string} word @param {Known[]} known @param {boolean} whole is it a word of its own? @param {boolean} last
 * @returns {Candidate[]}
 */
const begunWith = (word, known, whole, last) => {
  if (whole && !last && word.length < 4) return [];
  const doubt = whole ? (last ? 0.75 : 0.5) : last ? 1 : 0.9;
  return known
    .filter((one) => one.word.length > word.length && one.word.startsWith(word))
    .map((one) => ({ known: one, quality: BEGUN * doubt * (0.85 + (0.15 * word.length) / one.word.length) * (one.strong ? 1 : 0.7) }))
    .sort((one, other) => other.quality - one.quality)
    .slice(0, MOST_BEGUN);
};

/**
 * Words a slip away that begin with the same letter: those of the shards that are here, and those of the list.
 * @param {string} word @param {Known[]} known @param {boolean} whole is it a word of its own? @param {Index} index @returns {Promise<Candidate[]>}
 */
const misspelledHere = async (word, known, whole, index) => {
  const listed = await misspelled(word, (other) => other[0] === word[0], index);
  const here = known.filter((one) => one.strong || !whole).map((one) => ({ known: one, quality: slip(word, one) }));
  const added = here.filter(({ known, quality }) => quality && !listed.some((one) => one.known === known));
  return [...listed, ...added].map(({ known, quality }) => ({ known, quality: quality * (known.strong ? 1 : 0.8) }));
};

/** The first letter may be wrong too. @param {string} word @param {Index} index */
const misspelledAnywhere = (word, index) =>
  once(index, `${word} anywhere`, async () => (word.length > 3 ? best(await misspelled(word, () => true, index)) : []));

/** @param {string} word @param {(other: string) => boolean} fits @param {Index} index @returns {Promise<Candidate[]>} */
const misspelled = async (word, fits, index) => {
  const near = [];
  for (const [other, listed] of index.spelled()) {
    const quality = fits(other) ? slip(word, listed) : 0;
    if (quality) near.push({ other, quality });
  }
  near.sort((one, other) => other.quality - one.quality);
  const found = await Promise.all(
    near.slice(0, MOST_SLIPS).map(async ({ other, quality }) => ({ known: await index.word(other), quality })),
  );
  return found.flatMap(({ known, quality }) => (known ? [{ known, quality }] : []));
};

/** How likely a word is a slip of another, or of the beginning of a longer one; 0 where it is none. @param {string} word @param {Word} meant */
const slip = (word, meant) => {
  const most = forgiven(word);
  if (!most) return 0;
  const other = meant.word;
  // Of three letters, two may have changed places; anything else would make another abbreviation of it.
  const edits = word.length === 3 && !sameLetters(word, other) ? most + 1 : editsBetween(word, other, most);
  if (edits <= most) return (edits > 1 ? TWO_EDITS : ONE_EDIT) * (other[0] === word[0] ? 1 : 0.9);
  // The slip may be in the root of another form.
  if (word.length > 6 && meant.root.length > 4 && editsBetween(rootOf(word), meant.root, 1) < 2) return 0.55;
  if (word.length < 5 || other.length <= word.length) return 0;
  return editsBetween(word, other.slice(0, word.length), 1) === 1 ? 0.4 : 0;
};

/** @param {string} one @param {string} other */
const sameLetters = (one, other) => one.length === other.length && [...one].sort().join("") === [...other].sort().join("");

/** Slips far from the best one are not meant. @param {Candidate[]} candidates */
const best = (candidates) => {
  const top = Math.max(0, ...candidates.map(({ quality }) => quality));
  return candidates.filter(({ quality }) => quality >= top * 0.4);
};

/** "flashattention" as flash and attention. @param {Asked} asked @param {number} number @param {Candidate[]} found @param {Index} index @returns {Promise<Reading[]>} */
const splitReadings = async ({ word, optional }, number, found, index) => {
  if (optional || word.length < SHORTEST_SPLIT || found.some(({ known, quality }) => quality >= FOLDED && known.strong)) return [];
  const places = Array.from({ length: word.length - 2 * SHORTEST_PIECE + 1 }, (_, at) => word.length - SHORTEST_PIECE - at);
  const cuts = places.filter((at) => index.spelled().has(word.slice(0, at)));
  const readings = await Promise.all(cuts.slice(0, 4).map((at) => splitAt(word, at, number, index)));
  return readings.flat();
};

/** @param {string} word @param {number} at @param {number} number @param {Index} index @returns {Promise<Reading[]>} */
const splitAt = async (word, at, number, index) => {
  const [left, right] = [word.slice(0, at), word.slice(at)];
  const slots = await Promise.all([surely(left, index), candidatesFor({ word: right, optional: false, last: false }, index)]);
  const sure = slots[1].filter(({ known, quality }) => known.strong && quality >= (right.length < 5 ? SURE : TWO_EDITS));
  if (!sure.length || !slots[0].length) return [];
  return [{ asked: [number], slots: [slots[0], sure], quality: SPLIT, how: "split", said: `${left} ${sure[0].known.word}` }];
};

/** Exact and inflected only. @param {string} word @param {Index} index */
const surely = (word, index) => once(index, `${word} surely`, async () => inflected(word, await wordsAround(word, index)));

/** "check point" as checkpoint. @param {Asked[]} words @param {Index} index @returns {Promise<Reading[]>} */
const joinedReadings = async (words, index) => {
  const pairs = words.slice(1).map((_, number) => number);
  const readings = pairs.map(async (number) => {
    const joined = words[number].word + words[number + 1].word;
    const candidates = (await surely(joined, index)).filter(({ quality }) => quality >= FOLDED);
    return { asked: [number, number + 1], slots: [candidates], quality: JOINED, how: /** @type {const} */ ("joined"), said: joined };
  });
  return Promise.all(readings);
};

/** What a phrase of the query is also called: abbreviations and what they stand for, synonyms. @param {Asked[]} words @param {Index} index @returns {Promise<Reading[]>} */
const sameReadings = (words, index) => {
  const starts = words.map((_, start) => start);
  const readings = starts.flatMap((start) =>
    Array.from({ length: Math.min(LONGEST_PHRASE, words.length - start) }, (_, more) => {
      const asked = starts.slice(start, start + more + 1);
      const phrase = asked.map((number) => folded(words[number].word)).join(" ");
      // "compute kernel" is found by "kernel" anyway.
      const others = (index.sameAs.get(phrase) ?? []).filter((other) => !` ${other} `.includes(` ${phrase} `));
      return others.map((other) => sameReading(other, asked, index));
    }).flat(),
  );
  return Promise.all(readings);
};

/** @param {string} other @param {number[]} asked @param {Index} index @returns {Promise<Reading>} */
const sameReading = async (other, asked, index) => ({
  asked,
  slots: await Promise.all(other.split(" ").map((word) => surely(word, index))),
  quality: SAME,
  how: "same",
  said: other,
});
