// From the words of a query to words of the index: as typed, inflected, begun, misspelled, split, joined, and what means the same.
import { editsBetween, forgiven } from "./spelling.js";
import { folded, rootOf } from "./words.js";

/** @typedef {import("./index.js").Index} Index */
/** @typedef {import("./index.js").Shard} Shard */
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
/** In a pasted message unknown words are names of files and functions, for which a search everywhere is in vain. */
const MOST_UNKNOWN = 6;

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
const candidatesFor = async ({ word, optional, last }, index) => {
  const shards = await index.shardsOf(word);
  const known = shards.flatMap((shard) => shard.words);
  if (optional) return exactly(word, shards);
  const sure = inflected(word, known);
  const begun = word.length >= SHORTEST_BEGINNING ? begunWith(word, known, sure.length > 0, last) : [];
  // A word that stands only in texts may be a slip of one that bites are about: "wrap divergence".
  const slips = sure.some(({ known }) => known.strong) ? [] : misspelled(word, known).filter(({ known }) => !sure.length || known.strong);
  // Half a word is more likely than a slip.
  const doubt = last && begun.some(({ known }) => known.strong) ? 0.5 : 1;
  return best([...sure, ...begun, ...slips.map(({ known, quality }) => ({ known, quality: quality * doubt }))]);
};

/** @param {string} word @param {Shard[]} shards @returns {Candidate[]} */
const exactly = (word, shards) => shards.flatMap((shard) => shard.byWord.get(word) ?? []).map((known) => ({ known, quality: EXACT }));

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

/** Words a slip away, also from the beginning of a longer one. @param {string} word @param {Known[]} known @returns {Candidate[]} */
const misspelled = (word, known) => {
  const most = forgiven(word);
  if (!most) return [];
  return known.flatMap((one) => {
    // Of three letters, two may have changed places; anything else would make another abbreviation of it.
    const edits = word.length === 3 && one.word.length !== 3 ? most + 1 : editsBetween(word, one.word, most);
    if (edits > most || (word.length === 3 && !sameLetters(word, one.word))) return begunWithASlip(word, one);
    const quality = (edits > 1 ? TWO_EDITS : ONE_EDIT) * (one.word[0] === word[0] ? 1 : 0.9) * (one.strong ? 1 : 0.8);
    return [{ known: one, quality }];
  });
};

/** @param {string} one @param {string} other */
const sameLetters = (one, other) => [...one].sort().join("") === [...other].sort().join("");

/** @param {string} word @param {Known} known @returns {Candidate[]} */
const begunWithASlip = (word, known) => {
  // The slip may be in the root of another form.
  if (word.length > 6 && known.root.length > 4 && editsBetween(rootOf(word), known.root, 1) < 2)
    return [{ known, quality: 0.55 * (known.strong ? 1 : 0.8) }];
  if (word.length < 5 || known.word.length <= word.length) return [];
  return editsBetween(word, known.word.slice(0, word.length), 1) === 1 ? [{ known, quality: 0.4 * (known.strong ? 1 : 0.7) }] : [];
};

/** The first letter may be wrong too: then the word lies in another shard. @param {string} word @param {Index} index */
const misspelledAnywhere = async (word, index) =>
  forgiven(word) && word.length > 3
    ? best(
        misspelled(
          word,
          (await index.allShards()).flatMap((shard) => shard.words),
        ),
      )
    : [];

/** Slips far from the best one are not meant. @param {Candidate[]} candidates */
const best = (candidates) => {
  const top = Math.max(0, ...candidates.map(({ quality }) => quality));
  return candidates.filter(({ quality }) => quality >= top * 0.4);
};

/** "flashattention" as flash and attention. @param {Asked} asked @param {number} number @param {Candidate[]} found @param {Index} index @returns {Promise<Reading[]>} */
const splitReadings = async ({ word, optional }, number, found, index) => {
  if (optional || word.length < SHORTEST_SPLIT || found.some(({ known, quality }) => quality >= FOLDED && known.strong)) return [];
  const shards = await index.shardsOf(word);
  const places = Array.from({ length: word.length - 2 * SHORTEST_PIECE + 1 }, (_, at) => word.length - SHORTEST_PIECE - at);
  const cuts = places.filter((at) => shards.some((shard) => shard.byWord.get(word.slice(0, at))?.strong));
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
const surely = async (word, index) => {
  const known = (await index.shardsOf(word)).flatMap((shard) => shard.words);
  return inflected(word, known);
};

/** "check point" as checkpoint. @param {Asked[]} words @param {Index} index @returns {Promise<Reading[]>} */
const joinedReadings = async (words, index) => {
  const pairs = words.slice(1).map((_, number) => number);
  const readings = pairs.map(async (number) => {
    const joined = words[number].word + words[number + 1].word;
    const known = (await index.shardsOf(words[number].word)).flatMap((shard) => shard.words);
    const candidates = inflected(joined, known).filter(({ quality }) => quality >= FOLDED);
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
