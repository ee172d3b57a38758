// When a question comes back: FSRS, in whole local days. Its first answer of a day counts; what is tried again that day is practice.
import { FSRSAlgorithm } from "ts-fsrs";
import { addDays, daysBetween } from "./dates.js";

/** @typedef {import("./event.js").Grade} Grade */
/** @typedef {{stability: number, difficulty: number}} Memory `stability`: days until nine in ten are still known */
/** @typedef {{grade: Grade, day: string, predicted: number | null}} Review `predicted`: the chance of knowing it, before it was asked */
/** @typedef {{memory: Memory, last: string, lapses: number, reviews: Review[]}} Card */

export const RETENTIONS = [0.8, 0.85, 0.9, 0.95];
export const USUAL_RETENTION = 0.9;
export const LEECH_LAPSES = 4;

/** @type {Map<number, FSRSAlgorithm>} */
const algorithms = new Map();

/** @param {number} retention */
const algorithm = (retention) => {
  const made = algorithms.get(retention) ?? new FSRSAlgorithm({ request_retention: retention, enable_fuzz: false });
  algorithms.set(retention, made);
  return made;
};

/** What is known of a question after this answer. @param {Card | undefined} card @param {Grade} grade @param {string} day @returns {Card} */
export const reviewed = (card, grade, day) => {
  const elapsed = card ? Math.max(0, daysBetween(card.last, day)) : 0;
  const { stability, difficulty } = algorithm(USUAL_RETENTION).next_state(card?.memory ?? null, elapsed, grade);
  const review = { grade, day, predicted: card ? chanceOn(card, day) : null };
  // Forgetting something that was known is a lapse; not knowing what is new is not.
  const lapsed = grade === 1 && card !== undefined;
  return {
    memory: { stability, difficulty },
    last: day,
    lapses: (card?.lapses ?? 0) + (lapsed ? 1 : 0),
    reviews: [...(card?.reviews ?? []), review],
  };
};

/** Days until the chance of knowing it has sunk to `retention`; at least one. @param {Memory} memory @param {number} retention */
export const intervalOf = (memory, retention) => algorithm(retention).next_interval(memory.stability, 0);

/** The day on which it is due: what was missed, tomorrow, however long it was known before. @param {Card} card @param {number} retention */
export const dueOf = (card, retention) => addDays(card.last, wasMissed(card) ? 1 : intervalOf(card.memory, retention));

/** Was it missed the last time? @param {Card} card */
export const wasMissed = (card) => card.reviews.at(-1)?.grade === 1;

/** What is asked first: what was missed, then what is least sure. @param {{card: Card, chance: number}} a @param {{card: Card, chance: number}} b */
export const byNeed = (a, b) => Number(wasMissed(b.card)) - Number(wasMissed(a.card)) || a.chance - b.chance;

/** The chance of knowing it on a day, by the model. @param {Card} card @param {string} day */
export const chanceOn = (card, day) =>
  algorithm(USUAL_RETENTION).forgetting_curve(Math.max(0, daysBetween(card.last, day)), card.memory.stability);

/** Missed so often that more of the same will not help: what it builds on may. @param {Card} card */
export const isLeech = (card) => card.lapses >= LEECH_LAPSES;
