// The order of results. A function of what each word of a query found, and of nothing else: no index, no network.
//
// It runs with every key, and a common word stands in thousands of entries: what is noted of them lies in columns of numbers, which are
// used again for the next key, and objects are made for what may be shown only.

/** @typedef {import("./find.js").Reading} Reading */
/** @typedef {import("./find.js").Candidate} Candidate */
/**
 * @typedef {{owner: ArrayLike<number>, place: ArrayLike<number>, length: ArrayLike<number>, documents: number, bites: number}} Shape
 * Of each entry its document, its `place` in that (0 the name in the title, 1 the rest of it, 2 the question, then keywords and terms) and
 * how many words it has; how many documents there are, of which the first are the bites
 */
/**
 * @typedef {{document: number, score: number, covered: number, readonly why: Why}} Hit
 * `covered`: the share of the query that was found; `why` is worked out when it is read, which has to be before the next ranking ({@link explained})
 */
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

/** Of what is no bite, that is a hit which holds all of the query: a fact with one word of it answers nothing. */
const WHOLE = 0.99;

/** @param {Reading[]} readings @param {number[]} asked numbers of the query's words that count @param {Shape} shape @returns {Hit[]} best first */
export const rank = (readings, asked, shape) => {
  const width = Math.max(-1, ...readings.flatMap((reading) => reading.asked)) + 1;
  const weights = weightsOf(readings, width, shape);
  const total = asked.reduce((sum, number) => sum + (weights[number] ?? 0), 0);
  const columns = columnsFor(shape);
  const tally = columns.tally;
  tally.clear(width);
  const { entries, matches } = entryMatches(readings, shape, columns.listed);
  for (let at = 0; at < entries.length; at++) scoreEntry(entries[at], matches[at], weights, total, shape, tally);
  for (const reading of readings) scoreApart(reading, shape, columns);
  return tally.hits(weights, total, shape.bites).sort(byScore);
};

/** A hit that the next ranking does not touch. @param {Hit} hit @returns {Hit} */
export const explained = ({ document, score, covered, why }) => ({ document, score, covered, why });

/** Columns as long as the index: made once, since memory that is given back with every key stops the page to be collected. @type {WeakMap<Shape, Columns>} */
const kept = new WeakMap();
/** @typedef {{tally: Tally, listed: Int32Array, best: Best[]}} Columns `listed`: an entry's place among those found, from 1; `best`: of each slot */

/** @param {Shape} shape @returns {Columns} */
const columnsFor = (shape) => {
  const columns = kept.get(shape) ?? { tally: new Tally(shape.documents), listed: new Int32Array(shape.owner.length), best: [] };
  kept.set(shape, columns);
  return columns;
};

/** @param {Hit} one @param {Hit} other */
const byScore = (one, other) => other.score - one.score || one.document - other.document;

/** What each of the query's words is worth: the rarer, the more. @param {Reading[]} readings @param {number} width @param {Shape} shape */
const weightsOf = (readings, width, { owner, bites }) => {
  const weights = new Float64Array(width);
  // The word that a bite was counted for last, from 1.
  const counted = new Uint8Array(bites);
  for (let number = 0; number < width; number++) {
    const own = readings.filter(({ asked }) => asked.includes(number));
    if (!own.length) continue;
    let [spread, widest] = [0, 0];
    const count = (/** @type {number} */ document) => {
      if (document >= bites || counted[document] === number + 1) return;
      counted[document] = number + 1;
      spread++;
    };
    for (const { asked, slots } of own) {
      if (slots.length > 1 || asked.length > 1) continue;
      const top = Math.max(...slots[0].map(({ quality }) => quality));
      for (const { known, quality } of slots[0]) {
        if (quality < top * 0.9) continue;
        widest = Math.max(widest, known.bites);
        for (const entry of known.entries) count(owner[entry]);
        for (const { document } of known.text) count(document);
      }
    }
    const rarity = Math.log(1 + bites / (0.5 + Math.max(spread, widest)));
    weights[number] = Math.min(rarity, Math.log(1 + bites / 1.5));
  }
  return weights;
};

/** @typedef {{asked: number[], words: string[], quality: {asked: number[], words: number[]}, reading: Reading}} Match of a reading in one entry, all its words there */

/** The entries in which something was found, and what. @param {Reading[]} readings @param {Shape} shape @param {Int32Array} listed is filled */
const entryMatches = (readings, { owner }, listed) => {
  listed.fill(0);
  /** @type {number[]} */
  const entries = [];
  /** @type {(Match | Match[])[]} */
  const matches = [];
  const add = (/** @type {number} */ entry, /** @type {Match} */ match) => {
    const at = listed[entry] - 1;
    if (at < 0) {
      listed[entry] = entries.push(entry);
      matches.push(match);
      return;
    }
    const known = matches[at];
    // Of the words that one may stand for, the likeliest comes first.
    if (!Array.isArray(known)) {
      if (known.reading !== match.reading) matches[at] = [known, match];
    } else if (known[known.length - 1].reading !== match.reading) known.push(match);
  };
  for (const reading of readings) {
    const { slots, quality } = reading;
    if (slots.length > 1) {
      for (const [entry, match] of phraseMatches(reading, owner.length)) add(entry, match);
      continue;
    }
    for (const { known, quality: sure } of slots[0].toSorted((one, other) => other.quality - one.quality)) {
      // Made once for a word, not for each of its entries.
      const match = matchOf(reading, quality * sure, [known.word]);
      for (const entry of known.entries) add(entry, match);
    }
  }
  return { entries, matches };
};

/** @param {Reading} reading @param {number} quality @param {string[]} words @returns {Match} */
const matchOf = (reading, quality, words) => {
  const { asked } = reading;
  return { asked, words, quality: { asked: asked.map(() => quality), words: words.map(() => quality) }, reading };
};

/** The entries that hold all words of a phrase. @param {Reading} reading @param {number} entries how many there are @returns {Iterable<[number, Match]>} */
const phraseMatches = function* (reading, entries) {
  const { slots, quality } = reading;
  const all = inEverySlot(slots, entries, ({ known }, see) => known.entries.forEach(see));
  if (!all) return;
  const perSlot = slots.map((candidates) => {
    /** @type {Map<number, {quality: number, word: string}>} */
    const best = new Map();
    for (const { known, quality: sure } of candidates) {
      for (const entry of known.entries) {
        if (all(entry) && (best.get(entry)?.quality ?? 0) < sure) best.set(entry, { quality: sure, word: known.word });
      }
    }
    return best;
  });
  for (const entry of perSlot[0].keys()) {
    const found = perSlot.map((best) => /** @type {{quality: number, word: string}} */ (best.get(entry)));
    const least = Math.min(...found.map((one) => one.quality));
    yield [
      entry,
      matchOf(
        reading,
        quality * least,
        found.map((one) => one.word),
      ),
    ];
  }
};

/**
 * Tells what every slot of a phrase has: most of what one of its words has, the others have not. Undefined where there is no such thing.
 * @param {Candidate[][]} slots @param {number} size
 * @param {(candidate: Candidate, see: (number: number) => void) => void} show a candidate's numbers, from 0 to `size`
 */
const inEverySlot = (slots, size, show) => {
  const reached = new Uint8Array(size);
  for (let slot = 0; slot < slots.length; slot++) {
    let left = 0;
    const see = (/** @type {number} */ number) => {
      if (reached[number] !== slot) return;
      reached[number] = slot + 1;
      left++;
    };
    for (const candidate of slots[slot]) show(candidate, see);
    if (!left) return undefined;
  }
  return (/** @type {number} */ number) => reached[number] === slots.length;
};

/** @param {number} entry @param {Match | Match[]} matches @param {Float64Array} weights @param {number} total @param {Shape} shape @param {Tally} tally */
const scoreEntry = (entry, matches, weights, total, shape, tally) => {
  const place = Math.min(shape.place[entry], LAST);
  const length = Math.max(1, shape.length[entry]);
  const { asked, quality, words } = Array.isArray(matches) ? together(matches) : matches;
  let known = 0;
  for (let at = 0; at < words.length; at++) known += quality.words[at];
  const share = Math.min(1, known / length);
  let covered = 0;
  for (let at = 0; at < asked.length; at++) covered += quality.asked[at] * weights[asked[at]];
  const { least, whole } = FIELDS[place];
  const value = least + whole * share * share;
  const document = shape.owner[entry];
  for (let at = 0; at < asked.length; at++) tally.note(document, asked[at], value * quality.asked[at], place, -1);
  tally.noteEntry(document, entry, place, share, total ? covered / total : 0, words, length >= SENTENCE.words);
};

/** Of each word the best match. @param {Match[]} matches */
const together = (matches) => {
  /** @type {{asked: number[], words: string[], quality: {asked: number[], words: number[]}}} */
  const found = { asked: [], words: [], quality: { asked: [], words: [] } };
  for (const { asked, words, quality } of matches) {
    for (let at = 0; at < words.length; at++) keepBest(found.words, found.quality.words, words[at], quality.words[at]);
    for (let at = 0; at < asked.length; at++) keepBest(found.asked, found.quality.asked, asked[at], quality.asked[at]);
  }
  return found;
};

/** @template T @param {T[]} those a handful @param {number[]} values of those @param {T} one @param {number} value */
const keepBest = (those, values, one, value) => {
  const at = those.indexOf(one);
  if (at < 0) {
    those.push(one);
    values.push(value);
  } else if (value > values[at]) values[at] = value;
};

/** Words in texts, and phrases whose words stand in several entries. @param {Reading} reading @param {Shape} shape @param {Columns} columns */
const scoreApart = ({ asked, slots, quality }, shape, { tally, best: bests }) => {
  const single = slots.length === 1;
  const all = single ? () => true : inEverySlot(slots, shape.documents, showDocuments(shape));
  if (!all) return;
  const perSlot = slots.map((candidates, slot) => {
    bests[slot] ??= new Best(shape.documents);
    const best = bests[slot];
    best.clear();
    for (const { known, quality: sure } of candidates) {
      for (const { document, often, part } of known.text) if (all(document)) best.keep(document, TEXT[often] * sure, part, known.word);
      if (single) continue;
      for (const entry of known.entries) {
        const document = shape.owner[entry];
        if (all(document)) best.keep(document, FIELDS[LAST].least * sure, -1, known.word);
      }
    }
    return best;
  });
  const [first] = perSlot;
  for (const document of first.documents) {
    let sum = 0;
    for (const best of perSlot) sum += best.value[document];
    const value = (sum / perSlot.length) * quality * (single ? 1 : APART);
    for (const number of asked) tally.note(document, number, value, IN_TEXT, first.part[document]);
    tally.noteWords(
      document,
      perSlot.map((best) => best.word[document]),
    );
  }
};

/** The best that was found in each document: in columns, of which those of `documents` are filled. */
class Best {
  /** @type {number[]} */
  documents = [];
  /** @type {string[]} */
  word = [];

  /** @param {number} documents how many there are */
  constructor(documents) {
    this.value = new Float64Array(documents);
    this.part = new Int8Array(documents);
  }

  clear() {
    for (const document of this.documents) this.value[document] = 0;
    this.documents.length = 0;
  }

  /** @param {number} document @param {number} value above 0 @param {number} part or -1 @param {string} word */
  keep(document, value, part, word) {
    if (value <= this.value[document]) return;
    if (!this.value[document]) this.documents.push(document);
    this.value[document] = value;
    this.part[document] = part;
    this.word[document] = word;
  }
}

/** Those that a word stands in. @param {Shape} shape @returns {(candidate: Candidate, see: (document: number) => void) => void} */
const showDocuments =
  ({ owner }) =>
  ({ known }, see) => {
    for (const { document } of known.text) see(document);
    for (const entry of known.entries) see(owner[entry]);
  };

/** What was found of the query's words in each document, in columns: a row for a document, in some of them one for each word in it. */
class Tally {
  /** The documents in which something was found. @type {number[]} */
  #found = [];
  /** What was noted of words, and after which note of the same document: from 1. @type {string[][]} */
  #words = [];
  /** @type {number[]} */
  #before = [];

  width = 0;
  /** The number of the ranking whose columns these are. */
  turn = 0;
  // A cell for each word of the query in each document.
  best = new Float64Array(0);
  second = new Float64Array(0);
  // From 1: 0 is none.
  place = new Uint8Array(0);
  part = new Uint8Array(0);
  titled = new Uint8Array(0);

  /** @param {number} documents how many there are */
  constructor(documents) {
    this.documents = documents;
    this.lastWords = new Int32Array(documents);
    this.entry = new Int32Array(documents);
    this.entryWords = new Int32Array(documents);
    this.entryValue = new Float64Array(documents);
    this.share = new Float64Array(documents);
    // Above 1, where something is all there.
    this.equal = new Float64Array(documents);
  }

  /** @param {number} width how many words the next query has */
  clear(width) {
    for (const column of [this.lastWords, this.entry, this.entryWords, this.entryValue, this.share, this.equal]) column.fill(0);
    this.#found = [];
    this.#words = [];
    this.#before = [];
    this.width = width;
    this.turn++;
    const cells = width * this.documents;
    if (cells > this.best.length) {
      this.best = new Float64Array(cells);
      this.second = new Float64Array(cells);
      this.place = new Uint8Array(cells);
      this.part = new Uint8Array(cells);
      this.titled = new Uint8Array(cells);
      return;
    }
    for (const column of [this.best, this.second, this.place, this.part, this.titled]) column.fill(0, 0, cells);
  }

  /** @param {number} document @param {number} number of the query's word @param {number} value @param {number} place @param {number} part or -1 */
  note(document, number, value, place, part) {
    const at = document * this.width + number;
    if (place < 2) this.titled[at] = 1;
    if (value > this.best[at]) {
      if (place + 1 !== this.place[at]) this.second[at] = this.best[at];
      this.best[at] = value;
      this.place[at] = place + 1;
      this.part[at] = part + 1;
    } else if (place + 1 !== this.place[at] && value > this.second[at]) this.second[at] = value;
  }

  /** @param {number} document @param {number} entry @param {number} place @param {number} share @param {number} covered @param {string[]} words @param {boolean} sentence */
  noteEntry(document, entry, place, share, covered, words, sentence) {
    const noted = this.noteWords(document, words);
    if (share > 0.99) {
      const equal = covered > 0.96 ? EQUAL[place] : sentence ? SENTENCE.factor : 1;
      if (equal > this.equal[document]) this.equal[document] = equal;
    }
    const value = covered * (0.5 + share);
    if (value <= this.entryValue[document]) return;
    this.entry[document] = entry + 1;
    this.entryWords[document] = noted;
    this.entryValue[document] = value;
    this.share[document] = share;
  }

  /** @param {number} document @param {string[]} words @returns {number} of the note */
  noteWords(document, words) {
    const before = this.lastWords[document];
    if (!before) this.#found.push(document);
    this.#before.push(before);
    this.lastWords[document] = this.#words.push(words);
    return this.lastWords[document];
  }

  /** @param {Float64Array} weights @param {number} total @param {number} bites @returns {Hit[]} */
  hits(weights, total, bites) {
    const hits = [];
    for (const document of this.#found) {
      let [sum, covered] = [0, 0];
      for (let number = 0; number < this.width; number++) {
        const at = document * this.width + number;
        if (!this.best[at]) continue;
        sum += weights[number] * (this.best[at] + SECOND * this.second[at]);
        covered += weights[number];
      }
      const share = total ? Math.min(1, covered / total) : 0;
      if (document >= bites && share <= WHOLE) continue;
      const score = sum * share ** COVERAGE * Math.max(1, this.equal[document]);
      if (score > 0) hits.push(new Found(document, score, share, weights, total, this));
    }
    return hits;
  }

  /** @param {number} document @param {Float64Array} weights @param {number} total @returns {Why} */
  why(document, weights, total) {
    let [covered, inTitle, part, inPart] = [0, 0, -1, 0];
    /** @type {number[]} */
    const parts = [];
    for (let number = 0; number < this.width; number++) {
      const at = document * this.width + number;
      if (!this.best[at]) continue;
      covered += weights[number];
      if (this.titled[at]) inTitle += weights[number];
      const own = this.part[at] - 1;
      if (own < 0) continue;
      parts[own] = (parts[own] ?? 0) + weights[number];
      if (parts[own] > inPart) [part, inPart] = [own, parts[own]];
    }
    return {
      words: this.#wordsIn(document),
      entry: this.entry[document] - 1,
      entryWords: this.#words[this.entryWords[document] - 1] ?? [],
      share: this.share[document],
      inTitle: covered ? inTitle / covered : 0,
      part,
      partOnly: total ? inPart / total : 0,
    };
  }

  /** @param {number} document @returns {Set<string>} */
  #wordsIn(document) {
    /** @type {Set<string>} */
    const words = new Set();
    for (let note = this.lastWords[document]; note; note = this.#before[note - 1])
      for (const word of this.#words[note - 1]) words.add(word);
    return words;
  }
}

/** A hit. Hundreds are put in order and few are shown: why it is one is worked out for those. */
class Found {
  /** @type {Why | undefined} */
  #why;
  #weights;
  #total;
  #tally;
  #turn;

  /** @param {number} document @param {number} score @param {number} covered @param {Float64Array} weights @param {number} total @param {Tally} tally */
  constructor(document, score, covered, weights, total, tally) {
    this.document = document;
    this.score = score;
    this.covered = covered;
    this.#weights = weights;
    this.#total = total;
    this.#tally = tally;
    this.#turn = tally.turn;
  }

  get why() {
    if (!this.#why && this.#turn !== this.#tally.turn) throw new Error("why a hit is one was asked for after another ranking");
    this.#why ??= this.#tally.why(this.document, this.#weights, this.#total);
    return this.#why;
  }
}
