// The order of results. A pure function of what each word of a query found: no index, no network.

/** @typedef {import("./find.js").Reading} Reading */
/**
 * @typedef {{documentOf: (entry: number) => number, placeOf: (entry: number) => number, lengthOf: (entry: number) => number, bites: number}} Shape
 * `placeOf` an entry in its document: 0 the name in the title, 1 the rest of it, 2 the question, then keywords and terms
 */
/** @typedef {{document: number, score: number, covered: number, readonly why: Why}} Hit `covered`: the share of the query that was found */
/**
 * @typedef {{words: Set<string>, entry: number, entryWords: string[], share: number, inTitle: number, part: number, partOnly: number}} Why
 * `words` of the index that were found; `entry`: the one that matched best, `entryWords` those of it, `share` how much of it; `inTitle`: how much of what was found
 * the title shows; `part`: where most of what stands in the text only was found, or -1; `partOnly`: how much of the query that is
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
/** Where a word was found in no entry. */
const IN_TEXT = FIELDS.length;
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
  const tally = new Tally(Math.max(-1, ...readings.flatMap((reading) => reading.asked)) + 1);
  for (const [entry, matches] of entryMatches(readings)) scoreEntry(entry, matches, weights, total, shape, tally);
  for (const reading of readings) scoreApart(reading, shape, tally);
  return tally.hits(weights, total).sort(byScore);
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
    /** @type {Set<number>} */
    const bites = new Set();
    const note = (/** @type {number} */ document) => {
      if (document < shape.bites) bites.add(document);
    };
    for (const { known, quality } of slots[0]) {
      if (quality < top * 0.9) continue;
      for (const number of asked) widest.set(number, Math.max(widest.get(number) ?? 0, known.bites));
      for (const entry of known.entries) note(shape.documentOf(entry));
      for (const { document } of known.text) note(document);
    }
    for (const number of asked) spread.set(number, new Set([...(spread.get(number) ?? []), ...bites]));
  }
  const all = readings.flatMap(({ asked }) => asked);
  const rarity = (/** @type {number} */ number) => {
    const bites = Math.max(spread.get(number)?.size ?? 0, widest.get(number) ?? 0);
    return Math.log(1 + shape.bites / (0.5 + bites));
  };
  return new Map(all.map((number) => [number, Math.min(rarity(number), Math.log(1 + shape.bites / 1.5))]));
};

/** @typedef {{asked: number[], words: string[], quality: {asked: number[], words: number[]}, reading: Reading}} Match of a reading in one entry, all its words there */

// A common word stands in thousands of entries: what can be made once for a word is not made for each of them.
/** @param {Reading[]} readings @returns {Map<number, Match | Match[]>} */
const entryMatches = (readings) => {
  /** @type {Map<number, Match | Match[]>} */
  const found = new Map();
  const add = (/** @type {number} */ entry, /** @type {Match} */ match) => {
    const known = found.get(entry);
    if (!known) found.set(entry, match);
    else if (!Array.isArray(known)) {
      // Of the words that one may stand for, the likeliest comes first.
      if (known.reading !== match.reading) found.set(entry, [known, match]);
    } else if (known[known.length - 1].reading !== match.reading) known.push(match);
  };
  for (const reading of readings) {
    const { slots, quality } = reading;
    if (slots.length > 1) {
      for (const [entry, match] of phraseMatches(reading)) add(entry, match);
      continue;
    }
    for (const { known, quality: sure } of slots[0].toSorted((one, other) => other.quality - one.quality)) {
      const match = matchOf(reading, quality * sure, [known.word]);
      for (const entry of known.entries) add(entry, match);
    }
  }
  return found;
};

/** @param {Reading} reading @param {number} quality @param {string[]} words @returns {Match} */
const matchOf = (reading, quality, words) => {
  const { asked } = reading;
  return { asked, words, quality: { asked: asked.map(() => quality), words: words.map(() => quality) }, reading };
};

/** The entries that hold all words of a phrase. @param {Reading} reading @returns {Iterable<[number, Match]>} */
const phraseMatches = function* (reading) {
  const { slots, quality } = reading;
  const perSlot = slots.map((candidates) => {
    /** @type {Map<number, {quality: number, word: string}>} */
    const entries = new Map();
    for (const { known, quality: sure } of candidates) {
      for (const entry of known.entries) {
        if ((entries.get(entry)?.quality ?? 0) < sure) entries.set(entry, { quality: sure, word: known.word });
      }
    }
    return entries;
  });
  for (const entry of perSlot[0].keys()) {
    const all = perSlot.flatMap((slot) => slot.get(entry) ?? []);
    if (all.length < slots.length) continue;
    const least = Math.min(...all.map((one) => one.quality));
    const words = all.map((one) => one.word);
    yield [entry, matchOf(reading, quality * least, words)];
  }
};

/** @param {number} entry @param {Match | Match[]} matches @param {Map<number, number>} weights @param {number} total @param {Shape} shape @param {Tally} tally */
const scoreEntry = (entry, matches, weights, total, shape, tally) => {
  const place = Math.min(shape.placeOf(entry), LAST);
  const length = Math.max(1, shape.lengthOf(entry));
  const { asked, quality, words } = Array.isArray(matches) ? together(matches) : matches;
  let known = 0;
  for (const one of quality.words) known += one;
  const share = Math.min(1, known / length);
  let covered = 0;
  for (let at = 0; at < asked.length; at++) covered += quality.asked[at] * (weights.get(asked[at]) ?? 0);
  const { least, whole } = FIELDS[place];
  const value = least + whole * share * share;
  const slot = tally.slotOf(shape.documentOf(entry));
  for (let at = 0; at < asked.length; at++) tally.note(slot, asked[at], value * quality.asked[at], place);
  tally.noteEntry(slot, entry, place, share, total ? covered / total : 0, words, length >= SENTENCE.words);
};

/** Of each word the best match. @param {Match[]} matches */
const together = (matches) => {
  /** @type {Map<string, number>} */
  const words = new Map();
  /** @type {Map<number, number>} */
  const asked = new Map();
  for (const match of matches) {
    match.words.forEach((word, at) => {
      words.set(word, Math.max(words.get(word) ?? 0, match.quality.words[at]));
    });
    match.asked.forEach((number, at) => {
      asked.set(number, Math.max(asked.get(number) ?? 0, match.quality.asked[at]));
    });
  }
  return { asked: [...asked.keys()], words: [...words.keys()], quality: { asked: [...asked.values()], words: [...words.values()] } };
};

/** Words in texts, and phrases whose words stand in several entries. @param {Reading} reading @param {Shape} shape @param {Tally} tally */
const scoreApart = ({ asked, slots, quality }, shape, tally) => {
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
    const slot = tally.slotOf(document);
    for (const number of asked) tally.note(slot, number, value, IN_TEXT, place.part);
    for (const { words } of all) tally.noteWords(slot, words);
  }
};

/** What was found of the query's words in each document, in columns: a slot for a document, in some of them one for each word in it. */
class Tally {
  /** @type {Map<number, number>} */
  #slots = new Map();
  /** @type {number[]} */
  #best = [];
  /** @type {number[]} */
  #place = [];
  /** @type {number[]} */
  #second = [];
  /** @type {number[]} */
  #part = [];
  /** @type {boolean[]} */
  #titled = [];
  /** @type {number[]} */
  #entry = [];
  /** @type {string[][]} */
  #entryWords = [];
  /** @type {number[]} */
  #entryValue = [];
  /** @type {number[]} */
  #share = [];
  /** @type {number[]} */
  #equal = [];
  /** @type {string[][][]} */
  #words = [];

  /** @param {number} width how many words the query has */
  constructor(width) {
    this.width = width;
  }

  /** @param {number} document */
  slotOf(document) {
    let slot = this.#slots.get(document);
    if (slot !== undefined) return slot;
    slot = this.#slots.size;
    this.#slots.set(document, slot);
    for (let number = 0; number < this.width; number++) {
      this.#best.push(0);
      this.#place.push(-1);
      this.#second.push(0);
      this.#part.push(-1);
      this.#titled.push(false);
    }
    this.#entry.push(-1);
    this.#entryWords.push([]);
    this.#entryValue.push(0);
    this.#share.push(0);
    this.#equal.push(1);
    this.#words.push([]);
    return slot;
  }

  /** @param {number} slot @param {number} number of the query's word @param {number} value @param {number} place @param {number} [part] */
  note(slot, number, value, place, part = -1) {
    const at = slot * this.width + number;
    if (place < 2) this.#titled[at] = true;
    if (value > this.#best[at]) {
      if (place !== this.#place[at]) this.#second[at] = this.#best[at];
      this.#best[at] = value;
      this.#place[at] = place;
      this.#part[at] = part;
    } else if (place !== this.#place[at]) this.#second[at] = Math.max(this.#second[at], value);
  }

  /** @param {number} slot @param {number} entry @param {number} place @param {number} share @param {number} covered @param {string[]} words @param {boolean} sentence */
  noteEntry(slot, entry, place, share, covered, words, sentence) {
    this.noteWords(slot, words);
    if (share > 0.99 && covered > 0.96) this.#equal[slot] = Math.max(this.#equal[slot], EQUAL[place]);
    else if (share > 0.99 && sentence) this.#equal[slot] = Math.max(this.#equal[slot], SENTENCE.factor);
    const value = covered * (0.5 + share);
    if (value <= this.#entryValue[slot]) return;
    this.#entry[slot] = entry;
    this.#entryWords[slot] = words;
    this.#entryValue[slot] = value;
    this.#share[slot] = share;
  }

  /** @param {number} slot @param {string[]} words */
  noteWords(slot, words) {
    this.#words[slot].push(words);
  }

  /** @param {Map<number, number>} weights @param {number} total @returns {Hit[]} */
  hits(weights, total) {
    const listed = Array.from({ length: this.width }, (_, number) => weights.get(number) ?? 0);
    const found = [];
    for (const [document, slot] of this.#slots) {
      let [sum, covered] = [0, 0];
      for (let number = 0; number < this.width; number++) {
        const at = slot * this.width + number;
        if (!this.#best[at]) continue;
        sum += listed[number] * (this.#best[at] + SECOND * this.#second[at]);
        covered += listed[number];
      }
      const share = total ? Math.min(1, covered / total) : 0;
      const score = sum * share ** COVERAGE * this.#equal[slot];
      if (score > 0) found.push(new Found(document, score, share, () => this.#why(slot, listed, total)));
    }
    return found;
  }

  /** @param {number} slot @param {number[]} weights @param {number} total @returns {Why} */
  #why(slot, weights, total) {
    let [covered, inTitle, part, inPart] = [0, 0, -1, 0];
    /** @type {number[]} */
    const parts = [];
    for (let number = 0; number < this.width; number++) {
      const at = slot * this.width + number;
      if (!this.#best[at]) continue;
      covered += weights[number];
      if (this.#titled[at]) inTitle += weights[number];
      const own = this.#part[at];
      if (own < 0) continue;
      parts[own] = (parts[own] ?? 0) + weights[number];
      if (parts[own] > inPart) [part, inPart] = [own, parts[own]];
    }
    return {
      words: new Set(this.#words[slot].flat()),
      entry: this.#entry[slot],
      entryWords: this.#entryWords[slot],
      share: this.#share[slot],
      inTitle: covered ? inTitle / covered : 0,
      part,
      partOnly: total ? inPart / total : 0,
    };
  }
}

/** A hit. Thousands are put in order and few are shown: why it is one is worked out for those. */
class Found {
  #explain;
  /** @type {Why | undefined} */
  #why;

  /** @param {number} document @param {number} score @param {number} covered @param {() => Why} explain */
  constructor(document, score, covered, explain) {
    this.document = document;
    this.score = score;
    this.covered = covered;
    this.#explain = explain;
  }

  get why() {
    this.#why ??= this.#explain();
    return this.#why;
  }
}
