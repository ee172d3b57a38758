// The index in the browser: the head, and shards of words and cards that are fetched when a query needs them (src/gpubites/search/index.py).
import { folded, rootOf } from "./words.js";

/** @typedef {"bite" | "notebook" | "lab" | "term" | "planned" | "rule" | "fact"} Kind */
/**
 * @typedef {{version: number, stop: string, same: string[][], elsewhere: Record<string, string>, parts: string[], sections: Record<string, string>, counts: Record<Kind, number>, levels: string,
 *   in: string, runs: string, entries: string, lengths: string, from: string, words: string[], spelled: string,
 *   cards: Record<Kind, {size: number, names: string[]}>}} Head
 */
/** @typedef {{document: number, often: number, part: number}} Place of a word in a text; `often` from 0 to 3, `part` a number of `parts` */
/** @typedef {{words: Known[], byWord: Map<string, Known>}} Shard */
/** @typedef {(path: string) => Promise<any>} Read fetches a JSON file of the site; rejects with {@link Gone} where it is of another build */

const VERSION = 4;
export const KINDS = /** @type {Kind[]} */ (["bite", "notebook", "lab", "term", "planned", "rule", "fact"]);
const LEVELS = new Map([
  ["b", "beginner"],
  ["i", "intermediate"],
  ["a", "advanced"],
]);

/** A file that the head names is not there any more, or the head is of a kind this script does not know: the site has changed. */
export class Gone extends Error {}

/** @param {Head} head @param {Read} read */
export const openIndex = (head, read) => {
  if (head.version !== VERSION) throw new Gone(`an index of version ${head.version}`);
  const stopWords = new Set(head.stop.split(" "));
  const from = head.from.split(" ");
  const shape = shapeOf(head);
  const starts = startsOf(head.counts);
  const bites = head.counts.bite;
  const sectionIds = Object.keys(head.sections);
  /** @type {Map<string, Promise<any>>} */
  const fetched = new Map();

  /** Once each; a failed fetch is tried again. @template T @param {string} name @param {(data: any) => T} parse @returns {Promise<T>} */
  const file = (name, parse) => {
    const known = fetched.get(name);
    if (known) return known;
    const promised = read(`search/${name}.json`).then(parse);
    fetched.set(name, promised);
    promised.catch(() => fetched.delete(name));
    return promised;
  };

  /** The names of the shards from the place of one word to that of another. @param {string} first @param {string} last */
  const between = (first, last) => head.words.filter((_, place) => from[place] <= last && !(from[place + 1] <= first));
  const shard = (/** @type {string} */ name) => file(name, parseShard);
  /** @type {Map<string, Word> | undefined} */
  let spelled;

  return {
    stopWords,
    sameAs: sameAs(head.same, head.elsewhere),
    parts: head.parts,
    bites,
    shape,
    sections: head.sections,

    /** The shards with the words that begin so. @param {string} beginning */
    shardsFrom: (beginning) => Promise.all(between(beginning, `${beginning}~`).map(shard)),

    /** How many of those are not here yet. @param {string} beginning */
    missingFrom: (beginning) => between(beginning, `${beginning}~`).filter((name) => !fetched.has(name)).length,

    /** A word, if it is known. @param {string} word @returns {Promise<Known | undefined>} */
    word: async (word) => (await Promise.all(between(word, word).map(shard)))[0]?.byWord.get(word),

    /** The words that another may be a slip of: those of titles and questions, and those that lead to more than one thing. */
    spelled: () => {
      spelled ??= new Map(unshared(head.spelled).map((word) => [word, new Word(word)]));
      return spelled;
    },

    /** @param {number} document @returns {Kind} */
    kindOf: (document) => KINDS[starts.findLastIndex((start) => document >= start)],

    /** What filters and ties go by. @param {number} bite */
    facets: (bite) => ({
      level: LEVELS.get(head.levels[bite]) ?? "",
      section: sectionIds[Number.parseInt(head.in[bite], 36)] ?? "",
      runs: head.runs[bite] === "1",
    }),

    /** What a result shows. @param {number} document @returns {Promise<any[]>} */
    card: (document) => {
      const kind = starts.findLastIndex((start) => document >= start);
      const { size, names } = head.cards[KINDS[kind]];
      const place = document - starts[kind];
      return file(names[Math.floor(place / size)], (cards) => cards).then((cards) => cards[place % size]);
    },
  };
};

/** @typedef {ReturnType<typeof openIndex>} Index */

/** Phrase, its words in the singular → the phrases that mean the same. @param {string[][]} same @param {Record<string, string>} elsewhere */
const sameAs = (same, elsewhere) => {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const add = (/** @type {string} */ phrase, /** @type {string[]} */ others) => {
    const key = phrase.split(" ").map(folded).join(" ");
    found.set(key, [...(found.get(key) ?? []), ...others]);
  };
  for (const group of same)
    for (const phrase of group)
      add(
        phrase,
        group.filter((other) => other !== phrase),
      );
  for (const [phrase, ours] of Object.entries(elsewhere)) add(phrase, [ours]);
  return found;
};

/** Entries in columns, for the ranking. @param {Head} head @returns {import("./rank.js").Shape} */
const shapeOf = ({ entries, lengths, counts }) => {
  const owner = new Int32Array(lengths.length);
  const place = new Uint8Array(lengths.length);
  const length = new Uint8Array(lengths.length);
  let entry = 0;
  for (let document = 0; document < entries.length; document++) {
    const count = digit(entries, document);
    for (let at = 0; at < count; at++, entry++) {
      owner[entry] = document;
      place[entry] = at;
      length[entry] = digit(lengths, entry);
    }
  }
  return { owner, place, length, documents: entries.length, bites: counts.bite };
};

/** One of 36, at its place in a text: there are tens of thousands. @param {string} text @param {number} at */
const digit = (text, at) => {
  const code = text.charCodeAt(at);
  return code < 58 ? code - 48 : code - 87;
};

/** Where each kind's documents begin. @param {Record<Kind, number>} counts */
const startsOf = (counts) => {
  let next = 0;
  return KINDS.map((kind) => {
    const start = next;
    next += counts[kind];
    return start;
  });
};

/** @param {{words: string, entries: string, text: string, how: string, bites: string}} columns @returns {Shard} */
const parseShard = ({ words: listed, entries, text, how, bites }) => {
  const entryColumns = entries.split(",");
  const textColumns = text.split(",");
  let places = 0;
  const words = unshared(listed).map((word, index) => {
    const count = textColumns[index] ? textColumns[index].split(" ").length : 0;
    places += count;
    return new Known(word, entryColumns[index], textColumns[index], how.slice(places - count, places), spreadOf(bites[index]));
  });
  return { words, byWord: new Map(words.map((one) => [one.word, one])) };
};

/** `0coalesce 8d` → coalesce, coalesced: each word after what it shares with the one before. @param {string} listed */
const unshared = (listed) => {
  let before = "";
  return listed.split(" ").map((written) => {
    before = before.slice(0, Number.parseInt(written[0], 36)) + written.slice(1);
    return before;
  });
};

/** A word, with what it is compared by. There are thousands, and a query needs few: that is worked out when it is asked for. */
export class Word {
  /** @type {string | undefined} */
  #root;
  #folded = "";

  /** @param {string} word */
  constructor(word) {
    this.word = word;
  }

  get folded() {
    this.#folded ||= folded(this.word);
    return this.#folded;
  }

  get root() {
    this.#root ??= rootOf(this.word);
    return this.#root;
  }
}

/** A word of the index. */
export class Known extends Word {
  /** @type {string | number[]} */
  #entries;
  /** @type {string | Place[]} */
  #text;
  #how;

  /** @param {string} word @param {string} entries @param {string} text @param {string} how as the shard's columns have them @param {number} bites that hold it anywhere, if they are more than the ones listed */
  constructor(word, entries, text, how, bites) {
    super(word);
    this.#how = how;
    this.bites = bites;
    this.#entries = entries;
    this.#text = text;
    /** Does it stand in a title, a question, a keyword or a term? */
    this.strong = entries !== "";
  }

  /** Numbers of the entries it stands in. */
  get entries() {
    if (typeof this.#entries === "string") this.#entries = summed(numbers(this.#entries));
    return this.#entries;
  }

  /** Where it stands in texts. */
  get text() {
    if (typeof this.#text === "string") this.#text = placesOf(summed(numbers(this.#text)), this.#how);
    return this.#text;
  }
}

/** @param {number[]} documents @param {string} how @returns {Place[]} */
const placesOf = (documents, how) =>
  documents.map((document, index) => {
    const packed = Number.parseInt(how[index], 32);
    return { document, often: packed >> 3, part: packed & 7 };
  });

/** A digit stands for a quarter of a doubling. @param {string} digit */
const spreadOf = (digit) => (digit === "0" ? 0 : Math.round(2 ** ((Number.parseInt(digit, 36) - 1) / 4)));

/** @param {string} column */
const numbers = (column) => (column ? column.split(" ").map(Number) : []);

/** @param {number[]} differences */
const summed = (differences) => {
  let sum = 0;
  return differences.map((difference) => {
    sum += difference;
    return sum;
  });
};
