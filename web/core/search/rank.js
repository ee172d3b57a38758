// The order of results. A pure function of what each word of a query found: no index, no network.

/** @typedef {import("./find.js").Reading} Reading */
/**
 * @typedef {{documentOf: (entry: number) => number, placeOf: (entry: number) => number, lengthOf: (entry: number) => number, bites: number}} Shape
 * `placeOf` an entry in its document: 0 the name in the title, 1 the rest of it, 2 the question, then keywords and terms
 */
/**
 * @typedef {{document: number, score: number, covered: number, words: Set<string>, entry: number, entryWords: string[], share: number, inTitle: number, part: number, partOnly: number}} Hit
 * `covered`: the share of the query that was found; `words` of the index that were; `entry`: the one that matched best, `entryWords` those of it, `share` how much of
 * it; `inTitle`: how much of what was found the title shows; `part`: where most of what stands in the text only was found, or -1; `partOnly`: how much of the query that is
 */

// What a word counts in each of these: for a start, and for how much of the whole is there. A whole name counts more than a whole
// question, that more than a whole keyword, and each more than a text.
const FIELDS = [
  { least: 5.5, whole: 6.5 },
  { least: 4.5, whole: 3.5 },
  { least: 3, whole: 6 },
  { least: 3.8, whole: 5 },
];
const LAST = FIELDS.length - 1;
/** A word in a text, by how often it stands there. */
const TEXT = [0.9, 1.4, 1.9, 2.4];
/** Of what a word counts in its best place, this much is added for a second one. */
const SECOND = 0.2;
/** Words of a phrase found apart are hardly that phrase. */
const APART = 0.55;
/** The whole query is the whole of an entry. */
const EQUAL = [1.6, 1.4, 1.45, 1.4];
/** A keyword of four words or more is all there: a message, with other lines around it. */
const SENTENCE = { words: 4, factor: 1.3 };
/** How much it counts that more of the query was found. */
const COVERAGE = 1.3;

/** @param {Reading[]} readings @param {number[]} asked numbers of the query's words that count @param {Shape} shape @returns {Hit[]} best first */
export const rank = (readings, asked, shape) => {
  const weights = weightsOf(readings, shape);
  const total = asked.reduce((sum, number) => sum + (weights.get(number) ?? 0), 0);
  const found = new Map();
  const bestOf = (/** @type {number} */ document) => {
    let scores = found.get(document);
    if (!scores) {
      scores = new Scores();
      found.set(document, scores);
    }
    return scores;
  };
  for (const [entry, matches] of entryMatches(readings)) scoreEntry(entry, matches, weights, total, shape, bestOf(shape.documentOf(entry)));
  for (const reading of readings) scoreApart(reading, shape, bestOf);
  return [...found]
    .map(([document, scores]) => scores.hit(document, weights, total))
    .filter((hit) => hit.score > 0)
    .sort(byScore);
};

/** @param {Hit} one @param {Hit} other */
const byScore = (one, other) => other.score - one.score || one.document - other.document;

/** What each of the query's words is worth: the rarer, the more. @param {Reading[]} readings @param {Shape} shape @returns {Map<number, number>} */
const weightsOf = (readings, shape) => {
  /** @type {Map<number, Set<number>>} */
  const spread = new Map();
  /** @type {Map<number, number>} */
  const widest = new Map();
  for (const { asked, slots } of readings) {
    if (slots.length > 1 || asked.length > 1) continue;
    const top = Math.max(...slots[0].map(({ quality }) => quality));
    const documents = new Set();
    for (const { known, quality } of slots[0]) {
      if (quality < top * 0.9) continue;
      for (const number of asked) widest.set(number, Math.max(widest.get(number) ?? 0, known.bites));
      for (const entry of known.entries) documents.add(shape.documentOf(entry));
      for (const { document } of known.text) documents.add(document);
    }
    for (const number of asked) spread.set(number, new Set([...(spread.get(number) ?? []), ...documents]));
  }
  const all = readings.flatMap(({ asked }) => asked);
  const rarity = (/** @type {number} */ number) => {
    const found = [...(spread.get(number) ?? [])].filter((document) => document < shape.bites).length;
    const bites = Math.max(found, widest.get(number) ?? 0);
    return Math.log(1 + shape.bites / (0.5 + bites));
  };
  return new Map(all.map((number) => [number, Math.min(rarity(number), Math.log(1 + shape.bites / 1.5))]));
};

/** @typedef {{asked: number[], quality: number, words: string[]}} Match of a reading in one entry, all its words there */

/** @param {Reading[]} readings @returns {Map<number, Match[]>} */
const entryMatches = (readings) => {
  /** @type {Map<number, Match[]>} */
  const found = new Map();
  for (const { asked, slots, quality } of readings) {
    /** @type {Map<number, Match>[]} */
    const perSlot = slots.map((candidates) => {
      const entries = new Map();
      for (const { known, quality: sure } of candidates) {
        for (const entry of known.entries) {
          if ((entries.get(entry)?.quality ?? 0) < sure) entries.set(entry, { quality: sure, words: [known.word] });
        }
      }
      return entries;
    });
    const [first, ...others] = perSlot;
    for (const [entry, match] of first) {
      const rest = others.map((slot) => slot.get(entry));
      if (rest.some((other) => !other)) continue;
      const all = [match, .../** @type {Match[]} */ (rest)];
      const joint = { asked, quality: quality * Math.min(...all.map((one) => one.quality)), words: all.flatMap((one) => one.words) };
      const known = found.get(entry);
      if (known) known.push(joint);
      else found.set(entry, [joint]);
    }
  }
  return found;
};

/** @param {number} entry @param {Match[]} matches @param {Map<number, number>} weights @param {number} total @param {Shape} shape @param {Scores} scores */
const scoreEntry = (entry, matches, weights, total, shape, scores) => {
  const place = Math.min(shape.placeOf(entry), LAST);
  const words = new Map();
  const askedHere = new Map();
  for (const match of matches) {
    for (const word of match.words) words.set(word, Math.max(words.get(word) ?? 0, match.quality));
    for (const number of match.asked) askedHere.set(number, Math.max(askedHere.get(number) ?? 0, match.quality));
  }
  const share = Math.min(1, [...words.values()].reduce((sum, quality) => sum + quality, 0) / Math.max(1, shape.lengthOf(entry)));
  const covered = total ? [...askedHere].reduce((sum, [number, quality]) => sum + quality * (weights.get(number) ?? 0), 0) / total : 0;
  const { least, whole } = FIELDS[place];
  const value = least + whole * share * share;
  for (const [number, quality] of askedHere) scores.note(number, value * quality, `entry ${place}`);
  const sentence = shape.lengthOf(entry) >= SENTENCE.words;
  scores.noteEntry({ entry, place, share, covered, words: [...words.keys()], sentence });
};

/** Words in texts, and phrases whose words stand in several entries. @param {Reading} reading @param {Shape} shape @param {(document: number) => Scores} bestOf */
const scoreApart = ({ asked, slots, quality }, shape, bestOf) => {
  const single = slots.length === 1;
  /** @type {Map<number, {value: number, part: number, words: string[]}>[]} */
  const perSlot = slots.map((candidates) => {
    const places = new Map();
    const keep = (/** @type {number} */ document, /** @type {number} */ value, /** @type {number} */ part, /** @type {string} */ word) => {
      if ((places.get(document)?.value ?? 0) < value) places.set(document, { value, part, words: [word] });
    };
    for (const { known, quality: sure } of candidates) {
      for (const { document, often, part } of known.text) keep(document, TEXT[often] * sure, part, known.word);
      if (!single) for (const entry of known.entries) keep(shape.documentOf(entry), FIELDS[LAST].least * sure, -1, known.word);
    }
    return places;
  });
  const [first, ...others] = perSlot;
  for (const [document, place] of first) {
    const rest = others.map((slot) => slot.get(document));
    if (rest.some((other) => !other)) continue;
    const all = [place, .../** @type {typeof place[]} */ (rest)];
    const value = (all.reduce((sum, one) => sum + one.value, 0) / all.length) * quality * (single ? 1 : APART);
    const scores = bestOf(document);
    for (const number of asked) scores.note(number, value, "text", place.part);
    scores.noteWords(all.flatMap((one) => one.words));
  }
};

/** What was found of the query's words in one document. */
class Scores {
  /** @type {Map<number, {best: number, place: string, second: number, part: number}>} */
  #values = new Map();
  #entry = -1;
  /** @type {string[]} */
  #entryWords = [];
  #share = 0;
  #entryValue = 0;
  #equal = 1;
  /** @type {Set<string>} */
  #words = new Set();
  /** @type {Set<number>} */
  #inTitle = new Set();

  /** @param {number} number of the query's word @param {number} value @param {string} place @param {number} [part] */
  note(number, value, place, part = -1) {
    if (place === "entry 0" || place === "entry 1") this.#inTitle.add(number);
    const known = this.#values.get(number);
    if (!known) this.#values.set(number, { best: value, place, second: 0, part });
    else if (value > known.best)
      this.#values.set(number, { best: value, place, second: place === known.place ? known.second : known.best, part });
    else if (place !== known.place) known.second = Math.max(known.second, value);
  }

  /** @param {{entry: number, place: number, share: number, covered: number, words: string[], sentence: boolean}} found */
  noteEntry({ entry, place, share, covered, words, sentence }) {
    this.noteWords(words);
    if (share > 0.99 && covered > 0.96) this.#equal = Math.max(this.#equal, EQUAL[place]);
    else if (share > 0.99 && sentence) this.#equal = Math.max(this.#equal, SENTENCE.factor);
    const value = covered * (0.5 + share);
    if (value <= this.#entryValue) return;
    [this.#entry, this.#entryWords, this.#entryValue, this.#share] = [entry, words, value, share];
  }

  /** @param {string[]} words */
  noteWords(words) {
    for (const word of words) this.#words.add(word);
  }

  /** @param {number} document @param {Map<number, number>} weights @param {number} total @returns {Hit} */
  hit(document, weights, total) {
    let [sum, covered, inTitle] = [0, 0, 0];
    const parts = new Map();
    for (const [number, { best, second, part }] of this.#values) {
      const weight = weights.get(number) ?? 0;
      sum += weight * (best + SECOND * second);
      covered += weight;
      if (this.#inTitle.has(number)) inTitle += weight;
      if (part >= 0) parts.set(part, (parts.get(part) ?? 0) + weight);
    }
    const share = total ? Math.min(1, covered / total) : 0;
    const [part, inPart] = [...parts].sort((one, other) => other[1] - one[1])[0] ?? [-1, 0];
    return {
      document,
      score: sum * share ** COVERAGE * this.#equal,
      covered: share,
      words: this.#words,
      entry: this.#entry,
      entryWords: this.#entryWords,
      share: this.#share,
      inTitle: covered ? inTitle / covered : 0,
      part,
      partOnly: total ? inPart / total : 0,
    };
  }
}
