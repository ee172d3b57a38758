// Five bites for a day and a reader. Without a history everybody gets the same five. The state is that of the morning, so the list stays.
import { daysBetween } from "./dates.js";
import { byNeed, chanceOn, dueOf } from "./schedule.js";

/** @typedef {import("./state.js").StudyState} StudyState */
/** @typedef {{id: string, kind: string, text: string}} CatalogQuestion */
/**
 * @typedef {{slug: string, title: string, question: string, kind: string, level: string, section: string, roles: string[], prereqs: string[],
 *   url: string, minutes: number, questions: CatalogQuestion[]}} CatalogBite
 */
/** @typedef {{bite: CatalogBite, question: string, why: "due" | "new" | "other" | "again"}} Pick `again`: nothing new is left, so what is least sure */

export const FIVE = 5;
const MOST_DUE = 4;
const LEVELS = ["beginner", "intermediate", "advanced"];

/**
 * @param {CatalogBite[]} catalog @param {StudyState} morning of the events before this day, settings as they are now @param {string} day
 * @returns {Pick[]}
 */
export const picksFor = (catalog, morning, day) => {
  const askable = catalog.filter((bite) => bite.questions.length);
  /** @type {Pick[]} */
  const picks = [];
  const has = (/** @type {CatalogBite} */ bite) => picks.some((pick) => pick.bite === bite);
  const take = (/** @type {CatalogBite} */ bite, /** @type {Pick["why"]} */ why, question = firstQuestion(bite)) =>
    picks.push({ bite, question, why });

  for (const { bite, question } of dueBites(askable, morning, day).slice(0, MOST_DUE)) take(bite, "due", question);
  const fresh = newBites(askable, morning, day);
  const wanted = wantedBites(askable, morning.settings);
  const takeNew = (/** @type {number} */ upTo) => {
    for (let next = bestNew(fresh, wanted, picks, morning); next && picks.length < upTo; next = bestNew(fresh, wanted, picks, morning))
      take(next, "new");
  };
  takeNew(FIVE - 1);
  const fields = new Set(picks.map(({ bite }) => bite.section));
  const other = startable(fresh, morning).find((bite) => !has(bite) && !fields.has(bite.section));
  if (other) take(other, "other");
  takeNew(FIVE);
  for (const { bite, question } of leastSure(askable, morning, day)) if (picks.length < FIVE && !has(bite)) take(bite, "again", question);
  for (const bite of fresh) if (picks.length < FIVE && !has(bite)) take(bite, "new");
  return picks.slice(0, FIVE);
};

/** The picks as they stand during the day: what was answered stays, also where a setting or the site has changed since. @param {Pick[]} picks @param {{bite: string, question: string}[]} done in order @param {CatalogBite[]} catalog @returns {{pick: Pick, done: boolean}[]} */
export const withDone = (picks, done, catalog) => {
  const isDone = (/** @type {Pick} */ pick) => done.some(({ bite }) => bite === pick.bite.slug);
  /** @type {Pick[]} */
  const extra = [];
  for (const { bite: slug, question } of done) {
    const bite = catalog.find((bite) => bite.slug === slug);
    if (bite && ![...picks, ...extra].some((pick) => pick.bite === bite)) extra.push({ bite, question, why: "new" });
  }
  const left = picks.filter((pick) => !isDone(pick)).slice(0, Math.max(0, FIVE - picks.filter(isDone).length - extra.length));
  const kept = picks.filter((pick) => isDone(pick) || left.includes(pick));
  return [...extra, ...kept].slice(0, FIVE).map((pick) => ({ pick, done: isDone(pick) || extra.includes(pick) }));
};

/** A bite is met with a choice, not with arithmetic. @param {CatalogBite} bite */
const firstQuestion = ({ questions }) => (questions.find(({ kind }) => kind === "one") ?? questions[0]).id;

/** Bites with a question that is due, what was missed first. @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day */
const dueBites = (catalog, state, day) =>
  catalog
    .flatMap((bite) => {
      const due = bite.questions.flatMap(({ id }) => {
        const card = state.cards.get(id);
        return card && dueOf(card, state.settings.retention) <= day ? [{ bite, question: id, card, chance: chanceOn(card, day) }] : [];
      });
      return due.sort(byNeed).slice(0, 1);
    })
    .sort(byNeed);

/** Not studied yet, in an order that changes with the day. @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day */
const newBites = (catalog, state, day) =>
  catalog.filter((bite) => !state.bites.has(bite.slug)).sort((a, b) => rank(day, a.slug) - rank(day, b.slug));

/** @param {CatalogBite[]} fresh @param {Set<CatalogBite>} wanted @param {Pick[]} picks @param {StudyState} state */
const bestNew = (fresh, wanted, picks, state) => {
  const known = new Set([...state.bites.keys(), ...picks.map(({ bite }) => bite.slug)]);
  const ready = fresh.filter((bite) => wanted.has(bite) && !known.has(bite.slug) && bite.prereqs.every((slug) => known.has(slug)));
  const inSection = (/** @type {CatalogBite} */ bite) => picks.filter((pick) => pick.bite.section === bite.section).length;
  const byLevel = (/** @type {CatalogBite} */ a, /** @type {CatalogBite} */ b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level);
  const isStory = (/** @type {CatalogBite} */ bite) => Number(bite.kind === "story");
  return ready.sort((a, b) => isStory(a) - isStory(b) || byLevel(a, b) || inSection(a) - inSection(b))[0];
};

/** Of any field and role, what the reader could start with. @param {CatalogBite[]} fresh @param {StudyState} state */
const startable = (fresh, state) => fresh.filter((bite) => bite.kind !== "story" && bite.prereqs.every((slug) => state.bites.has(slug)));

/** The bites for a role and up to a level, and all that they build on. @param {CatalogBite[]} catalog @param {StudyState["settings"]} settings */
const wantedBites = (catalog, settings) => {
  const bySlug = new Map(catalog.map((bite) => [bite.slug, bite]));
  const wanted = new Set(catalog.filter(fits(settings)));
  // A set that grows while it is walked is walked to its end.
  for (const bite of wanted) for (const slug of bite.prereqs) wanted.add(/** @type {CatalogBite} */ (bySlug.get(slug) ?? bite));
  return wanted;
};

/** @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day */
const leastSure = (catalog, state, day) =>
  catalog
    .flatMap((bite) => bite.questions.map(({ id }) => ({ bite, question: id, card: state.cards.get(id) })))
    .flatMap(({ bite, question, card }) => (card ? [{ bite, question, card, chance: chanceOn(card, day) }] : []))
    .sort(byNeed);

/** @param {StudyState["settings"]} settings @returns {(bite: CatalogBite) => boolean} */
const fits = ({ role, level }) => {
  const highest = LEVELS.indexOf(level);
  return (bite) =>
    (role === "all" || bite.roles.includes("all") || bite.roles.includes(role)) && (highest < 0 || LEVELS.indexOf(bite.level) <= highest);
};

/** A number for a text and a day: the same everywhere, another one tomorrow. FNV-1a, then mixed. @param {string} day @param {string} text */
export const rank = (day, text) => {
  let hash = 0x811c9dc5;
  for (const letter of `${daysBetween("2000-01-01", day)}/${text}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
};
