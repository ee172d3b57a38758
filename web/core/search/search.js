// The search: a query in, results out. What is shown where, and why a result is one.
import { readingsOf } from "./find.js";
import { readQuery } from "./query.js";
import { explained, rank } from "./rank.js";
import { editsBetween } from "./spelling.js";
import { folded } from "./words.js";

/** @typedef {import("./index.js").Index} Index */
/** @typedef {import("./find.js").Reading} Reading */
/** @typedef {import("./rank.js").Hit} Hit */
/** @typedef {{level: string, section: string, run: boolean}} Narrowing empty texts mean "any" */
/**
 * @typedef {{kind: "bite" | "part" | "notebook" | "lab" | "term" | "planned" | "rule" | "fact", slug: string, title: string, about: string, line: string, why: string,
 *   url: string, words: string[], bite: {slug: string, title: string} | null, score: number}} Result
 * `slug` of the bite, or what else names the result; `about` section and level, `line` the answer in a line, `why` it is a result where the title does not
 * show it, `words` that matched, `bite` the one that is read instead of a planned one
 */
/** @typedef {{others: Result[], bites: Result[]}} Rest facts, terms, labs and such, and the bites after the first ones */
/**
 * @typedef {{bites: Result[], more: number, rest: () => Promise<Rest>, count: number, spelled: [string, string][], nearest: boolean, unfiltered: boolean,
 *   meant: string[]}} Results
 * `bites`: the first ones, of `count`; `more`: how many others; `rest` fetches the cards of those; `spelled`: words that were looked up as others;
 * `nearest`: nothing fits, and these come closest, without the filters where `unfiltered`; `meant`: queries that would find something
 */

/** So many are shown with every key; the rest is fetched once typing rests. */
const FIRST_BITES = 3;
const MOST_BITES = 10;
const EARLY_LETTERS = 2;
/** A text that may end with so few. */
const FEW_LETTERS = /(?<![a-z\d])[a-z\d]{1,2}$/i;
const MOST_OTHERS = 4;
const LEVELS = ["beginner", "intermediate", "advanced"];
/** Results with so much less of the query, or of the score, than the first are chance. */
const LEAST_COVERED = 0.5;
const LEAST_SCORE = 0.12;
/** So much of a query stands in the title, or the title does not show why. */
const SHOWN = 0.99;
/** Words that are looked at closer, where nobody knows one. */
const MOST_MEANT = 8;
const EVERYWHERE = { level: "", section: "", run: false };

/** @param {Index} index */
export const createSearch = (index) => {
  /** @param {string} text @param {Narrowing} narrowing @returns {Promise<Results>} */
  const search = async (text, narrowing) => {
    const query = readQuery(text, index.stopWords);
    const readings = await readingsOf(query.words, index);
    const asked = query.words.map((_, number) => number).filter((number) => !query.words[number].optional);
    const hits = rank(readings, asked.length ? asked : query.words.map((_, number) => number), index.shape);
    const bites = worthShowing(hits.filter((hit) => hit.document < index.bites));
    const narrowed = narrowing.level || narrowing.section || narrowing.run;
    const fitting = inOrder(narrowed ? bites.filter((hit) => admits(index.facets(hit.document), narrowing)) : bites, index);
    const unfiltered = bites.length > 0 && fitting.length === 0;
    const shown = (unfiltered ? inOrder(bites, index).slice(0, FIRST_BITES) : fitting.slice(0, MOST_BITES)).map(explained);
    const whole = narrowed ? [] : otherHits(hits, index).map(explained);
    const first = await biteResults(shown.slice(0, FIRST_BITES), readings, index);
    const parts = query.part ? first.slice(0, 1).map((result) => partResult(result, query.part)) : partsFound(shown, first, index);
    const others = whole.slice(0, MOST_OTHERS - parts.length);
    return {
      bites: first,
      more: parts.length + others.length,
      rest: async () => ({
        others: [...parts, ...(await Promise.all(others.map((hit) => otherResult(hit, index))))],
        bites: await biteResults(shown.slice(FIRST_BITES), readings, index),
      }),
      count: fitting.length,
      spelled: query.words.flatMap(({ word }, number) => spelledOf(word, number, readings)),
      nearest: unfiltered,
      unfiltered,
      meant: [],
    };
  };

  return {
    /**
     * Does a query end with so few letters that their words lie in several files? With the next letter it will be fewer.
     * @param {string} text
     */
    isEarly: (text) => {
      if (!FEW_LETTERS.test(text)) return false;
      const word = readQuery(text, index.stopWords).words.at(-1);
      return Boolean(word?.last && word.word.length <= EARLY_LETTERS && index.missingFrom(word.word) > 1);
    },

    /** The results of a query; where there is none, those of what may have been meant. @param {string} text @param {Narrowing} narrowing @returns {Promise<Results>} */
    find: async (text, narrowing) => {
      const results = await search(text, narrowing);
      if (results.bites.length || results.more) return results;
      // One letter asks for nothing yet.
      if (!readQuery(text, index.stopWords).words.length) return results;
      const meant = await meantBy(text, index);
      if (!meant.length) return { ...results, bites: await firstBites(index), nearest: true };
      const nearest = await search(meant[0], EVERYWHERE);
      return { ...results, bites: nearest.bites, spelled: [], nearest: true, meant };
    },
  };
};

/** Where others begin. @param {Index} index */
const firstBites = (index) => {
  const basic = Array.from({ length: index.bites }, (_, bite) => bite).filter((bite) => index.facets(bite).level === "beginner");
  const why = { words: new Set(), entry: -1, entryWords: [], share: 0, inTitle: 1, part: -1, partOnly: 0 };
  const hits = basic.slice(0, FIRST_BITES).map((document) => ({ document, score: 0, covered: 0, why }));
  return biteResults(hits, [], index);
};

/** @param {Hit[]} hits */
const worthShowing = (hits) => {
  const [first] = hits;
  return hits.filter((hit) => hit.covered >= first.covered * LEAST_COVERED && hit.score >= first.score * LEAST_SCORE);
};

/** Equal scores: the more basic bite first. @param {Hit[]} hits @param {Index} index */
const inOrder = (hits, index) => {
  const level = (/** @type {Hit} */ hit) => LEVELS.indexOf(index.facets(hit.document).level);
  return hits.toSorted((one, other) => (Math.abs(one.score - other.score) < 1e-6 ? level(one) - level(other) : other.score - one.score));
};

/** @param {{level: string, section: string, runs: boolean}} facets @param {Narrowing} narrowing */
const admits = (facets, { level, section, run }) =>
  (!level || facets.level === level) && (!section || facets.section === section) && (!run || facets.runs);

/** @param {Hit[]} hits @param {Reading[]} readings @param {Index} index */
const biteResults = (hits, readings, index) => Promise.all(hits.map((hit) => biteResult(hit, readings, index)));

/** @param {Hit} hit @param {Reading[]} readings @param {Index} index @returns {Promise<Result>} */
const biteResult = async (hit, readings, index) => {
  const [slug, title, line] = await index.card(hit.document);
  const { level, section, runs } = index.facets(hit.document);
  return {
    kind: "bite",
    slug,
    title,
    about: [index.sections[section], level, ...(runs ? ["can be run"] : [])].join(" · "),
    line,
    why: whyFound(hit, readings, index),
    url: `b/${slug}/`,
    words: [...hit.why.words],
    bite: null,
    score: hit.score,
  };
};

/** Where the title does not show it: what it is also found by, or the part that says it. @param {Hit} hit @param {Reading[]} readings @param {Index} index */
const whyFound = (hit, readings, index) => {
  if (hit.why.inTitle > SHOWN) return "";
  const place = hit.why.entry < 0 ? -1 : index.shape.place[hit.why.entry];
  const stands = readings.find(
    ({ how, slots }) => how === "same" && slots.every((slot) => slot.some(({ known }) => hit.why.words.has(known.word))),
  );
  if ((place === 0 || place === 1) && hit.why.partOnly < 0.5) return stands && hit.why.share < SHOWN ? `Also called: ${stands.said}` : "";
  if (hit.why.part >= 0 && (place < 0 || hit.why.partOnly > 0.5)) return `In: ${partName(index.parts[hit.why.part])}`;
  if (place === 2) return "In its question";
  return place > 2 ? `Known for: ${told(hit.why.entryWords, readings)}` : "";
};

/**
 * The words of an entry in the order of the query, without single digits, and without what only joins two others.
 * @param {string[]} words @param {Reading[]} readings
 */
const told = (words, readings) => {
  const asked = (/** @type {string} */ word) =>
    Math.min(
      ...readings.filter(({ slots }) => slots.some((slot) => slot.some(({ known }) => known.word === word))).map((one) => one.asked[0]),
    );
  const joined = (/** @type {string} */ word) => words.some((left) => words.some((right) => left + right === word));
  return words
    .filter((word) => word.length > 1 && !joined(word))
    .sort((one, other) => asked(one) - asked(other))
    .join(" ");
};

/** red-flags → Red flags. @param {string} anchor */
const partName = (anchor) => `${anchor[0].toUpperCase()}${anchor.slice(1).replaceAll("-", " ")}`.replace(/^Follow ups$/, "Follow-ups");

/** @param {Result} bite @param {string} anchor @returns {Result} */
const partResult = (bite, anchor) => ({
  ...bite,
  kind: "part",
  title: `${partName(anchor)} · ${bite.title}`,
  line: "",
  why: "",
  url: `${bite.url}#${anchor}`,
});

/** A query of several words, most of which only a part of the first bite says. @param {Hit[]} hits @param {Result[]} results @param {Index} index */
const partsFound = (hits, results, index) =>
  hits
    .slice(0, 1)
    .filter((hit) => hit.why.part >= 0 && hit.why.partOnly > 0.5)
    .map((hit) => partResult(results[0], index.parts[hit.why.part]));

/** Terms, rules of thumb, facts, notebooks and planned bites that hold all of the query. @param {Hit[]} hits @param {Index} index */
const otherHits = (hits, index) => {
  const whole = hits.filter((hit) => hit.document >= index.bites);
  const ofKind = (/** @type {string} */ kind, /** @type {number} */ most) =>
    whole.filter((hit) => index.kindOf(hit.document) === kind).slice(0, most);
  return [
    ...ofKind("planned", 1).filter((hit) => hit.why.share > 0.4),
    ...ofKind("term", 2).filter((hit) => hit.why.share > 0.6),
    ...ofKind("rule", 3).filter((hit) => hit.why.share > 0.4),
    ...ofKind("notebook", 1),
    ...ofKind("lab", 1),
    ...ofKind("fact", 3),
  ];
};

/** @param {Hit} hit @param {Index} index @returns {Promise<Result>} */
const otherResult = async (hit, index) => {
  const [slug, title, more, conditions] = await index.card(hit.document);
  const kind = index.kindOf(hit.document);
  const common = { kind, slug, title, line: "", why: "", words: [...hit.why.words], bite: null, score: hit.score };
  if (kind === "term") return { ...common, about: "Term", line: more, url: `terms/#${slug}` };
  if (kind === "fact") return { ...common, about: conditions ? `Fact · ${conditions}` : "Fact", line: more, url: `facts/#${slug}` };
  if (kind === "notebook") return { ...common, about: "Notebook", url: `notebooks/${slug}/` };
  if (kind === "rule") return { ...common, about: "Rule of thumb", line: more, url: conditions };
  if (kind === "lab") return { ...common, about: "Lab", line: more, url: conditions };
  const [nearest] = more;
  const bite = nearest ? { slug: nearest[0], title: nearest[1] } : null;
  return { ...common, about: "Not written yet", bite, url: bite ? `b/${bite.slug}/` : "map/#list" };
};

/** What a word was taken for, if its letters are others. @param {string} word @param {number} number @param {Reading[]} readings @returns {[string, string][]} */
const spelledOf = (word, number, readings) => {
  const own = readings.filter(({ asked, how }) => asked.length === 1 && asked[0] === number && how !== "same");
  const split = own.find(({ how }) => how === "split");
  const known = own.filter(({ how }) => how === "word").flatMap(({ slots }) => slots[0]);
  if (known.some((one) => one.known.word.startsWith(word) || one.known.folded === folded(word))) return [];
  const [top] = known.toSorted((one, other) => other.quality - one.quality);
  if (split && !(top?.quality > split.quality)) return [[word, split.said]];
  return top && top.quality < 0.8 ? [[word, top.known.word]] : [];
};

/** The query with the words that nobody knows replaced by those that look most like them. @param {string} text @param {Index} index */
const meantBy = async (text, index) => {
  const { words } = readQuery(text, index.stopWords);
  const nearest = await Promise.all(words.slice(0, 4).map(({ word }) => lookLike(word, index)));
  const found = nearest.filter((close) => close.length);
  if (!found.length) return [];
  return [...new Set([found.map(([first]) => first).join(" "), found.map((close) => close.at(-1)).join(" ")])];
};

/** The two words most like one, of equals those that stand in more. @param {string} word @param {Index} index */
const lookLike = async (word, index) => {
  const most = word.length > 6 ? 3 : Math.floor(word.length / 3);
  const close = [...index.spelled().keys()]
    .filter((other) => other.length > 2)
    .map((other) => ({ other, edits: editsBetween(word, other, most) }))
    .filter(({ edits }) => edits <= most)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MOST_MEANT);
  const spread = await Promise.all(
    close.map(async ({ other, edits }) => ({ other, edits, spread: (await index.word(other))?.entries.length ?? 0 })),
  );
  return spread
    .sort((one, other) => one.edits - other.edits || other.spread - one.spread)
    .slice(0, 2)
    .map(({ other }) => other);
};
