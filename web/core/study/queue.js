// The questions to go through: what is due, what was missed the last time, or all of a topic.
import { byNeed, chanceOn, dueOf, isLeech, wasMissed } from "./schedule.js";
import { aloudKey } from "./state.js";
import { rank } from "./today.js";

/** @typedef {import("./today.js").CatalogBite} CatalogBite */
/** @typedef {import("./state.js").StudyState} StudyState */
/** @typedef {import("./schedule.js").Card} Card */
/** @typedef {{key: string, bite: CatalogBite, question: string, card: Card | undefined, isLeech: boolean, weak: string[]}} Due `question` is empty for what is answered aloud */

export const MODES = { due: "What is due", missed: "Missed only", all: "Every question" };

/** @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day @param {string} mode @param {string} section empty: all @returns {Due[]} */
export const queueFor = (catalog, state, day, mode, section) => {
  const asked = catalog
    .filter((bite) => !section || bite.section === section)
    .flatMap((bite) => [...bite.questions.map(({ id }) => due(bite, id, id, state)), due(bite, aloudKey(bite.slug), "", state)]);
  if (mode === "all") return asked.filter(({ question }) => question).sort((a, b) => rank(day, a.key) - rank(day, b.key));
  const met = asked.flatMap((each) => (each.card ? [{ each, card: each.card, chance: chanceOn(each.card, day) }] : []));
  const wanted = met.filter(({ card }) => (mode === "missed" ? wasMissed(card) : dueOf(card, state.settings.retention) <= day));
  return wanted.sort(byNeed).map(({ each }) => each);
};

/** @param {CatalogBite} bite @param {string} key @param {string} question @param {StudyState} state @returns {Due} */
const due = (bite, key, question, state) => {
  const card = state.cards.get(key);
  const weak = question ? [] : (state.aloud.findLast((event) => event.bite === bite.slug)?.weak ?? []);
  return { key, bite, question, card, isLeech: card !== undefined && isLeech(card), weak };
};
