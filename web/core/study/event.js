// One thing that happened while studying. Events are only ever added, so that two tabs and two devices can be put together in any order.
import { dayAt, isDay } from "./dates.js";

/** @typedef {import("./dates.js").Moment} Moment */
/** @typedef {1 | 2 | 3 | 4} Grade 1: missed, 2: with effort or by guess, 3: right, 4: easily */
/** @typedef {{id: string, device?: string, seq?: number} & Moment} Head `device` and `seq` come with being stored */
/** @typedef {Head & {kind: "answer", question: string, bite: string, right: boolean, where: string}} AnswerEvent */
/** @typedef {Head & {kind: "grade", of: string, grade: Grade}} GradeEvent the reader knows better how well it went */
/** @typedef {Head & {kind: "undo", of: string}} UndoEvent */
/** @typedef {Head & {kind: "set", name: string, value: string | number | boolean}} SetEvent */
/** @typedef {Head & {kind: "aloud", bite: string, points: number, most: number, result: Result, weak: string[], flags: string[], mock: string}} AloudEvent an answer said or typed, and graded by its rubric */
/** @typedef {"miss" | "adequate" | "strong"} Result */
/** @typedef {AnswerEvent | GradeEvent | UndoEvent | SetEvent | AloudEvent} StudyEvent */

const ID = /^[a-z0-9][a-z0-9-]{2,63}$/;
const LONGEST_TEXT = 600;
const MOST_TEXTS = 40;
// Before the site there were no events; after this year there is another edition of it.
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** @typedef {(value: unknown) => boolean} Check */
/** @type {Check} */
const text = (value) => typeof value === "string" && value.length <= LONGEST_TEXT;
/** @type {Check} */
const id = (value) => typeof value === "string" && ID.test(value);
/** @type {Check} */
const count = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 40;
/** @type {Check} */
const texts = (value) => Array.isArray(value) && value.length <= MOST_TEXTS && value.every(text);
/** @param {readonly unknown[]} values @returns {Check} */
const oneOf = (values) => (value) => values.includes(value);

/** @type {Record<string, Check>} */
const HEAD = {
  id,
  at: (value) => Number.isInteger(value) && Number(value) >= EARLIEST && Number(value) < LATEST,
  day: isDay,
  zone: text,
  offset: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 24 * 60,
};

/** What each kind carries beside its head. @type {Record<string, Record<string, Check>>} */
const KINDS = {
  answer: { question: id, bite: id, right: oneOf([true, false]), where: text },
  grade: { of: id, grade: oneOf([1, 2, 3, 4]) },
  undo: { of: id },
  set: { name: id, value: (value) => text(value) || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)) },
  aloud: { bite: id, points: count, most: count, result: oneOf(["miss", "adequate", "strong"]), weak: texts, flags: texts, mock: text },
};

/**
 * Why this is no event; empty where it is one. A kind that we do not know is a later edition's: `unknown kind`.
 * @param {any} value
 */
export const wrongWith = (value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is no record";
  for (const [name, check] of Object.entries(HEAD)) if (!check(value[name])) return `\`${name}\` is wrong or missing`;
  if (value.device !== undefined && !id(value.device)) return "`device` is wrong";
  if (value.seq !== undefined && !count(value.seq)) return "`seq` is wrong";
  const kind = typeof value.kind === "string" && Object.hasOwn(KINDS, value.kind) ? KINDS[value.kind] : null;
  if (!kind) return "unknown kind";
  for (const [name, check] of Object.entries(kind)) if (!check(value[name])) return `\`${name}\` of the ${value.kind} is wrong or missing`;
  if (dayAt(value.at, value.offset) !== value.day) return "`day` is not the day of `at`";
  return "";
};

/** Only what an event has, in one order: nothing else comes in with a file. @param {any} value @returns {StudyEvent} */
export const asEvent = (value) => {
  const names = [...Object.keys(HEAD), "device", "seq", "kind", ...Object.keys(KINDS[value.kind])];
  return /** @type {StudyEvent} */ (
    Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]))
  );
};

/** The union by id. Where two events have one id, which nobody makes by using the site, both sides choose the same one. @param {StudyEvent[][]} lists */
export const merged = (...lists) => {
  /** @type {Map<string, StudyEvent>} */
  const byId = new Map();
  for (const event of lists.flat()) {
    const there = byId.get(event.id);
    if (!there || canonical(event) < canonical(there)) byId.set(event.id, event);
  }
  return [...byId.values()];
};

/** @param {StudyEvent} event */
const canonical = (event) => JSON.stringify(Object.entries(event).sort(([a], [b]) => (a < b ? -1 : 1)));
