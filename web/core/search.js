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

/** @param {Document[]} documents */
export const createSearch = (documents) => {
  const engine = new MiniSearch({
    idField: "slug",
    fields: Object.keys(BOOST),
    extractField: (document, field) => (field === "keywords" ? document.keywords.join(" · ") : document[field]),
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
    let hits = engine.search(query);
    // No bite holds all the words: then those that hold some.
    if (!hits.length) hits = engine.search(query, { combineWith: "OR" });
    return hits
      .map((hit) => ({ .../** @type {Document} */ (bySlug.get(hit.id)), terms: hit.terms, score: hit.score }))
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
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
  return text
    .split(pattern)
    .map((stretch, index) => ({ text: stretch, matched: index % 2 === 1 }))
    .filter((stretch) => stretch.text);
};
