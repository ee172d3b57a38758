// The search engine: MiniSearch over the documents of search.json. No DOM here.
import MiniSearch from "minisearch";

/**
 * @typedef {{slug: string, title: string, question: string, keywords: string[], level: string, kind: string, section: string,
 *   sectionName: string, roles: string[], run: boolean, url: string, text: string}} Document
 * @typedef {Document & {terms: string[]}} Result `terms` are the words that matched, for marking
 * @typedef {{level: string, section: string, run: boolean}} Narrowing empty texts mean "any"
 */

/** How much a match in each field counts. */
const BOOST = { title: 8, keywords: 5, question: 4, text: 1 };
const LEVELS = ["beginner", "intermediate", "advanced"];

/** Words that tell nothing: they would fetch every bite when no bite has all the words of a question. */
const STOP_WORDS = new Set(
  "a an and are as at be by can do does for from has how i if in into is it its my no not of on or our so that the their then there this to was what when where which who why will with you your".split(
    " ",
  ),
);
/** A keyword typed as it stands is what the bite is about. */
const WHOLE_KEYWORD = 4;

/** @param {string} text */
const folded = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** @param {Document[]} documents */
export const createSearch = (documents) => {
  const engine = new MiniSearch({
    idField: "slug",
    fields: Object.keys(BOOST),
    extractField: (document, field) => (field === "keywords" ? document.keywords.join(" · ") : document[field]),
    processTerm: (term) => (STOP_WORDS.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: BOOST,
      prefix: (term) => term.length > 1,
      // One edit for a word of medium length, two for a long one.
      fuzzy: (term) => (term.length > 7 ? 2 : term.length > 3 ? 1 : false),
      weights: { prefix: 0.6, fuzzy: 0.3 },
      combineWith: "AND",
    },
  });
  engine.addAll(documents);
  const bySlug = new Map(documents.map((document) => [document.slug, document]));

  /** Best first; on a tie the more basic bite. @param {string} query @param {Narrowing} narrowing @returns {Result[]} */
  return (query, narrowing) => {
    if (!query.trim()) return [];
    const asked = folded(query);
    let hits = engine.search(query);
    // No bite holds all the words: then those that hold some.
    if (!hits.length) hits = engine.search(query, { combineWith: "OR" });
    return hits
      .map((hit) => {
        const document = /** @type {Document} */ (bySlug.get(hit.id));
        const whole = document.keywords.some((keyword) => folded(keyword) === asked) || folded(document.title) === asked;
        return { ...document, terms: hit.terms, score: hit.score * (whole ? WHOLE_KEYWORD : 1) };
      })
      .filter((result) => admits(result, narrowing))
      .sort((one, other) => other.score - one.score || LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
  };
};

/** @param {Document} document @param {Narrowing} narrowing */
const admits = (document, narrowing) =>
  (!narrowing.level || document.level === narrowing.level) &&
  (!narrowing.section || document.section === narrowing.section) &&
  (!narrowing.run || document.run);

/**
 * Cuts a text into matched and other stretches, for `<mark>`.
 * @param {string} text @param {string[]} terms @returns {{text: string, matched: boolean}[]}
 */
export const markMatches = (text, terms) => {
  const words = terms.filter((term) => term.length > 1).sort((one, other) => other.length - one.length);
  if (!words.length) return [{ text, matched: false }];
  // At the beginning of a word only: "in" is no part of "contains".
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "giu");
  return text
    .split(pattern)
    .map((stretch, index) => ({ text: stretch, matched: index % 2 === 1 }))
    .filter((stretch) => stretch.text);
};
