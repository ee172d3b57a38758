// What all events together say: settings, every question's card, and the days of study. The same events give the same state in any order.
import { reviewed, USUAL_RETENTION } from "./schedule.js";
import { settled } from "./settle.js";
import { streakOf } from "./streak.js";

/** @typedef {import("./event.js").StudyEvent} StudyEvent */
/** @typedef {import("./event.js").AnswerEvent} AnswerEvent */
/** @typedef {import("./event.js").AloudEvent} AloudEvent */
/** @typedef {import("./event.js").Grade} Grade */
/** @typedef {import("./schedule.js").Card} Card */
/** @typedef {import("./dates.js").Moment} Moment */
/** @typedef {{retention: number, role: string, level: string}} Settings */
/**
 * @typedef {{
 *   settings: Settings, cards: Map<string, Card>, bites: Map<string, string>, answers: AnswerEvent[], aloud: AloudEvent[],
 *   streak: import("./streak.js").Streak, perDay: Map<string, number>,
 * }} StudyState
 * `cards`: by question, and by `aloudKey` for what is said aloud; `bites`: each bite that was studied, with its first day
 */

const USUAL = { retention: USUAL_RETENTION, role: "all", level: "any" };
/** @type {Record<string, Grade>} */
const GRADE_OF = { miss: 1, adequate: 3, strong: 4 };

/** The key of the card of a bite whose question is answered aloud. @param {string} bite */
export const aloudKey = (bite) => `aloud:${bite}`;

/** @param {StudyEvent[]} events @param {Moment} now @returns {StudyState} */
export const stateOf = (events, now) => {
  const inOrder = settled(events, now.at);
  const undone = new Set(inOrder.flatMap((event) => (event.kind === "undo" ? [event.of] : [])));
  const valid = inOrder.filter((event) => !undone.has(event.id));
  const grades = new Map(valid.flatMap((event) => (event.kind === "grade" ? [[event.of, event.grade]] : [])));
  const settings = { ...USUAL };
  /** @type {Map<string, Card>} */
  const cards = new Map();
  /** @type {Map<string, string>} */
  const bites = new Map();
  /** @type {AnswerEvent[]} */
  const answers = [];
  /** @type {AloudEvent[]} */
  const aloud = [];
  /** @type {Map<string, number>} */
  const perDay = new Map();
  /** @type {Moment[]} */
  const active = [];
  for (const event of valid) {
    if (event.kind === "set") set(settings, event.name, event.value);
    if (event.kind !== "answer" && event.kind !== "aloud") continue;
    const key = event.kind === "answer" ? event.question : aloudKey(event.bite);
    const grade = grades.get(event.id) ?? (event.kind === "answer" ? (event.right ? 3 : 1) : GRADE_OF[event.result]);
    const card = cards.get(key);
    if (!card || event.day > card.last) cards.set(key, reviewed(card, /** @type {Grade} */ (grade), event.day));
    if (!bites.has(event.bite)) bites.set(event.bite, event.day);
    perDay.set(event.day, (perDay.get(event.day) ?? 0) + 1);
    active.push(event);
    if (event.kind === "answer") answers.push(event);
    else aloud.push(event);
  }
  return { settings, cards, bites, answers, aloud, streak: streakOf(active, now), perDay };
};

/** @param {Settings} settings @param {string} name @param {unknown} value */
const set = (settings, name, value) => {
  if (name === "retention" && typeof value === "number" && value >= 0.7 && value <= 0.97) settings.retention = value;
  if (name === "role" && typeof value === "string") settings.role = value;
  if (name === "level" && typeof value === "string") settings.level = value;
};
