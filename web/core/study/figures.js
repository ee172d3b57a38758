// What the progress page shows, as plain values: what is known, what comes when, how well the model foretold, and where it is weakest.
import { addDays, weekday } from "./dates.js";
import { chanceOn, dueOf, isLeech, wasMissed } from "./schedule.js";
import { aloudKey } from "./state.js";

/** @typedef {import("./today.js").CatalogBite} CatalogBite */
/** @typedef {import("./state.js").StudyState} StudyState */
/** @typedef {{name: string, questions: number, met: number, known: number}} Known `known`: the sum of the chances of knowing each question today, by the model; what was missed the last time is not known */

/** @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day @param {[string, string][]} groups id and name @param {(bite: CatalogBite, id: string) => boolean} isIn @returns {Known[]} */
export const knownBy = (catalog, state, day, groups, isIn) =>
  groups.map(([id, name]) => {
    const questions = catalog.filter((bite) => isIn(bite, id)).flatMap((bite) => bite.questions);
    const cards = questions.flatMap((question) => state.cards.get(question.id) ?? []);
    const known = cards.reduce((sum, card) => sum + (wasMissed(card) ? 0 : chanceOn(card, day)), 0);
    return { name, questions: questions.length, met: cards.length, known };
  });

/** How many questions are due on each of the coming days; what is overdue counts today. @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day @param {number} days @returns {{day: string, due: number}[]} */
export const forecast = (catalog, state, day, days) => {
  const counts = new Map(Array.from({ length: days }, (_, away) => [addDays(day, away), 0]));
  for (const { card } of cardsOf(catalog, state)) {
    const [, shown] = [day, dueOf(card, state.settings.retention)].sort();
    if (counts.has(shown)) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([day, due]) => ({ day, due }));
};

/** Answers a day, in weeks that begin on Monday, the last one today's. @param {StudyState} state @param {string} day @param {number} weeks @returns {{day: string, answers: number}[][]} */
export const heatMap = (state, day, weeks) => {
  const monday = addDays(day, -weekday(day) - 7 * (weeks - 1));
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, number) => addDays(monday, 7 * week + number))
      .filter((date) => date <= day)
      .map((date) => ({ day: date, answers: state.perDay.get(date) ?? 0 })),
  );
};

/** What was foretold and what came: reviews by their predicted chance, in tenths. @param {StudyState} state @returns {{from: number, to: number, reviews: number, predicted: number, right: number}[]} */
export const calibration = (state) => {
  const bins = Array.from({ length: 10 }, (_, index) => ({ from: index / 10, to: (index + 1) / 10, reviews: 0, predicted: 0, right: 0 }));
  for (const card of state.cards.values()) {
    for (const { predicted, grade } of card.reviews) {
      if (predicted === null) continue;
      const bin = bins[Math.min(9, Math.floor(predicted * 10))];
      bin.reviews += 1;
      bin.predicted += predicted;
      bin.right += grade > 1 ? 1 : 0;
    }
  }
  return bins
    .filter(({ reviews }) => reviews)
    .map((bin) => ({ ...bin, predicted: bin.predicted / bin.reviews, right: bin.right / bin.reviews }));
};

/** Questions missed again and again, most often first, with the bite to go back to. @param {CatalogBite[]} catalog @param {StudyState} state */
export const leeches = (catalog, state) => {
  const bySlug = new Map(catalog.map((bite) => [bite.slug, bite]));
  return cardsOf(catalog, state)
    .filter(({ card }) => isLeech(card))
    .sort((a, b) => b.card.lapses - a.card.lapses)
    .map(({ bite, text, card }) => ({
      bite,
      text,
      lapses: card.lapses,
      revisit: bite.prereqs.flatMap((slug) => bySlug.get(slug) ?? [])[0] ?? bite,
    }));
};

/**
 * The bites on which most of what was missed builds: each answer missed in the last weeks counts for its bite's prerequisites.
 * @param {CatalogBite[]} catalog @param {StudyState} state @param {string} day @returns {{bite: CatalogBite, missed: number, answers: number}[]}
 */
export const weakest = (catalog, state, day) => {
  const since = addDays(day, -60);
  const tally = new Map(catalog.map((bite) => [bite.slug, { bite, missed: 0, answers: 0 }]));
  for (const { bite, card } of cardsOf(catalog, state)) {
    for (const review of card.reviews) {
      if (review.day < since) continue;
      for (const slug of bite.prereqs) {
        const entry = tally.get(slug);
        if (!entry) continue;
        entry.answers += 1;
        entry.missed += review.grade === 1 ? 1 : 0;
      }
    }
  }
  return [...tally.values()]
    .filter(({ missed }) => missed >= 2)
    .sort((a, b) => b.missed / b.answers - a.missed / a.answers || b.missed - a.missed)
    .slice(0, 5);
};

/** The cards of what can be asked now: a question that the site no longer has is kept, and not shown. @param {CatalogBite[]} catalog @param {StudyState} state */
const cardsOf = (catalog, state) =>
  catalog.flatMap((bite) =>
    [...bite.questions.map(({ id, text }) => ({ id, text })), { id: aloudKey(bite.slug), text: bite.question }].flatMap(({ id, text }) => {
      const card = state.cards.get(id);
      return card ? [{ bite, text, card }] : [];
    }),
  );

/**
 * How close guesses came before a simulator answered, from right to far off; a wrong choice is far off.
 * @param {import("../calibration.js").Guess[]} guesses
 */
export const closeness = (guesses) => {
  const classes = [
    { name: "As the model says", holds: (/** @type {number} */ factor) => factor === 1 },
    { name: "Within a quarter", holds: (/** @type {number} */ factor) => factor > 1 && factor <= 1.25 },
    { name: "Within a factor of two", holds: (/** @type {number} */ factor) => factor > 1.25 && factor <= 2 },
    { name: "Further off, or another choice", holds: (/** @type {number} */ factor) => factor === 0 || factor > 2 },
  ];
  return classes.map(({ name, holds }) => ({ name, guesses: guesses.filter(({ factor }) => holds(factor)).length }));
};
