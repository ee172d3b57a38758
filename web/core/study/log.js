// The reader's own log of events, as a page sees it: read from the device, added to, heard from other tabs; and what is wrong with keeping it.
import { clear, exchange, leave, listen, readAll, readAside, StoreProblem, setAside, unstored, write } from "../store.js";
import { momentHere } from "./dates.js";
import { asEvent, merged, wrongWith } from "./event.js";
import { isGuess } from "./transfer.js";

/** @typedef {import("./event.js").StudyEvent} StudyEvent */
/** @typedef {import("./transfer.js").Progress} Progress */
/** @typedef {import("./transfer.js").Change} Change */
/** What an event says beside when and where. @typedef {{kind: string, [name: string]: unknown}} Happening */

/** `change`: there is something new in the log. `problem`: it cannot be kept, see `trouble`. */
export const log = new EventTarget();

/** Why nothing can be kept now; empty where all is well. @type {{reason: "" | "blocked" | "full"}} */
export const trouble = { reason: "" };

const visit = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
let count = 0;

/**
 * Adds what happened now. The promise is kept in every case: where nothing can be stored it stays for this visit, and `trouble` says so.
 * @param {Happening[]} happenings @returns {Promise<StudyEvent[]>}
 */
export const record = async (...happenings) => {
  const moment = momentHere(Date.now());
  const events = happenings.map((happening) => asEvent({ id: `${visit}-${count++}`, ...moment, ...happening }));
  if ((await trying(() => write("events", events).then(() => true))) === true) tell("");
  log.dispatchEvent(new Event("change"));
  return events;
};

/** Every event, stored or waiting. What cannot be read is set aside, and the rest counts. @returns {Promise<StudyEvent[]>} */
export const readEvents = async () => {
  const stored = (await trying(() => readAll("events"))) ?? [];
  const damaged = stored.filter((event) => !["", "unknown kind"].includes(wrongWith(event)));
  if (damaged.length) await trying(() => setAside("events", damaged));
  // A later edition's kinds are left where they are.
  return merged(
    stored.filter((event) => wrongWith(event) === ""),
    unstored("events"),
  );
};

/** Everything that is the reader's. @returns {Promise<Progress>} */
export const readProgress = async () => {
  const [events, worksheet, ticks] = [await readEvents(), await readTable("worksheet"), await readTable("ticks")];
  return { events, worksheet, ticks, guesses: await readGuesses() };
};

/** What the reader guessed before a simulator answered. @returns {Promise<import("../calibration.js").Guess[]>} */
export const readGuesses = async () => (await readTable("guesses")).filter(isGuess);

/** @param {"worksheet" | "ticks" | "guesses"} table */
const readTable = async (table) => [...((await trying(() => readAll(table))) ?? []), ...unstored(table)];

/** Takes in what is new in a file, all or nothing. Rejects with a StoreProblem. @param {Change} change */
export const takeIn = async (change) => {
  await exchange(written(change));
  log.dispatchEvent(new Event("change"));
};

/** Takes it out again, and puts back what it stood in for. @param {Change} change */
export const takeOut = async (change) => {
  await exchange(written({ events: [], guesses: [], ...change.replaced }), written(change));
  log.dispatchEvent(new Event("change"));
};

/** @param {Progress} progress @returns {import("../store.js").Written[]} */
const written = ({ events, worksheet, ticks, guesses }) =>
  Object.entries({ events, worksheet, ticks, guesses }).flatMap(([table, records]) =>
    records.map((record) => ({ table: /** @type {import("../store.js").Table} */ (table), record })),
  );

/** Where an interview is kept while it lasts, through a reload; gone with the tab. */
export const INTERVIEW = "gpubites interview";

/** Forgets all study progress. Worksheets stay: they are texts, and are cleared where they are written. */
export const forgetAll = async () => {
  await clear(["events", "guesses"]);
  try {
    sessionStorage.removeItem(INTERVIEW);
  } catch {
    // Blocked: nothing was kept.
  }
  log.dispatchEvent(new Event("change"));
};

/** What could not be read and was moved out of the way. @returns {Promise<any[]>} */
export const readDamaged = async () => (await trying(() => readAside())) ?? [];

/** @template Result @param {() => Promise<Result>} work @returns {Promise<Result | undefined>} */
const trying = async (work) => {
  try {
    const result = await work();
    // Reading works on a full device too.
    if (trouble.reason === "blocked") tell("");
    return result;
  } catch (problem) {
    if (!(problem instanceof StoreProblem)) throw problem;
    tell(/** @type {"blocked" | "full"} */ (problem.reason));
  }
};

/** @param {typeof trouble.reason} reason */
const tell = (reason) => {
  if (trouble.reason === reason) return;
  trouble.reason = reason;
  log.dispatchEvent(new Event("problem"));
};

/** Asks the browser not to clear what is here when room gets short. Once there is something to lose, and not again. */
export const askToKeep = async () => {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // It has no such promise to give.
  }
};

listen((writtenThere) => {
  if (!writtenThere.length || writtenThere.some(({ table }) => table === "events" || table === "guesses"))
    log.dispatchEvent(new Event("change"));
}, new AbortController().signal);
addEventListener("pagehide", leave);
