// What readers make here, kept on their device: one IndexedDB database, one transaction per write, and word to the other tabs.
//
// A worksheet's record has an `updated` stamp, and the latest one counts. A study event never changes: what has its id is there already.
import { openDB } from "idb";

/** @typedef {"worksheet" | "ticks" | "events" | "guesses" | "drafts"} Table */
/** @typedef {import("idb").IDBPDatabase} Database */
/** @typedef {{table: Table, record: any}} Written */

const NAME = "gpubites";

/**
 * One step per version of the database, oldest first. A step adds and never removes: an old tab may still be reading what it made.
 * @type {((database: Database) => void)[]}
 */
const migrations = [
  (database) => {
    database.createObjectStore("worksheet", { keyPath: ["bite", "step"] });
    database.createObjectStore("ticks", { keyPath: ["bite", "point"] });
  },
  (database) => {
    database.createObjectStore("guesses", { keyPath: ["lab", "updated"] });
  },
  (database) => {
    database.createObjectStore("events", { keyPath: "id" });
    database.createObjectStore("device", { keyPath: "name" });
    database.createObjectStore("aside", { autoIncrement: true });
  },
  (database) => {
    database.createObjectStore("drafts", { keyPath: ["file", "part"] });
  },
];

/** Why nothing could be kept: `blocked` by the browser, or its room is `full`. */
export class StoreProblem extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("nothing could be stored", { cause });
    this.reason = cause instanceof DOMException && cause.name === "QuotaExceededError" ? "full" : "blocked";
  }
}

/** Written, but not stored yet, by table and key. It lasts for this visit, and goes along with the next write. @type {Map<Table, Map<string, any>>} */
const waiting = new Map();

/**
 * Every record of a table, or those whose key begins with `first`. Rejects where nothing can be read, after which `unstored` still answers.
 * @param {Table} table @param {string} [first] @returns {Promise<any[]>}
 */
export const readAll = (table, first) =>
  // An array comes after every text, so this is all keys that begin with it.
  trying(async (database) => database.getAll(table, first === undefined ? null : IDBKeyRange.bound([first], [first, []])));

/** What this visit has written and could not store. @param {Table} table @param {string} [first] @returns {any[]} */
export const unstored = (table, first) =>
  [...waitingIn(table).values()].filter((record) => first === undefined || keyOf(table, record)[0] === first);

/**
 * Keeps these records, all or none, together with those that could not be stored before; then the other tabs hear of them.
 * @param {Table} table @param {any[]} records
 */
export const write = async (table, records) => {
  for (const record of records) wait(table, record);
  const sent = allWaiting();
  if (!sent.length) return;
  const stored = await trying(async (database) => {
    const transaction = database.transaction([...new Set(sent.map(({ table }) => table)), "device"], "readwrite");
    return allOf(transaction, putAll(transaction, sent));
  });
  for (const { table, record } of sent) {
    const key = JSON.stringify(keyOf(table, record));
    if (waitingIn(table).get(key) === record) waitingIn(table).delete(key);
  }
  channel()?.postMessage(stored);
};

/**
 * Puts and removes in one transaction, all or nothing: an import, and its undoing. What was written since is newer, and stays.
 * @param {Written[]} put @param {Written[]} [removed]
 */
export const exchange = async (put, removed = []) => {
  await trying(async (database) => {
    const transaction = database.transaction(["worksheet", "ticks", "events", "guesses"], "readwrite");
    return allOf(transaction, exchangeAll(transaction, put, removed));
  });
  channel()?.postMessage([]);
};

/** @param {import("idb").IDBPTransaction<unknown, string[], "readwrite">} transaction @param {Written[]} put @param {Written[]} removed */
const exchangeAll = async (transaction, put, removed) => {
  const there = (/** @type {Written} */ { table, record }) => transaction.objectStore(table).get(keyFor(table, record));
  const work = [];
  for (const written of removed) {
    const { table, record } = written;
    const isSame = !changes(table) || (await there(written))?.updated === record.updated;
    if (isSame) work.push(transaction.objectStore(table).delete(keyFor(table, record)));
  }
  for (const written of put) {
    const { table, record } = written;
    const isNewer = !changes(table) || !((await there(written))?.updated >= record.updated);
    if (isNewer) work.push(transaction.objectStore(table).put(record));
  }
  return Promise.all(work);
};

/** Are its records written again under the same key? @param {Table} table */
const changes = (table) => table === "worksheet" || table === "ticks";

/** Forgets everything, and who this device was. The texts of worksheets go too where the reader says so. @param {Table[]} tables */
export const clear = async (tables) => {
  for (const table of tables) waitingIn(table).clear();
  forgetLastWords();
  await trying(async (database) => {
    const transaction = database.transaction([...tables, "device", "aside"], "readwrite");
    return allOf(transaction, Promise.all([...tables, "device", "aside"].map((table) => transaction.objectStore(table).clear())));
  });
  channel()?.postMessage([]);
};

/** Moves records that cannot be read out of the way. They stay on the device, to be downloaded. @param {Table} table @param {any[]} records */
export const setAside = (table, records) =>
  trying(async (database) => {
    const transaction = database.transaction([table, "aside"], "readwrite");
    const work = records.flatMap((record) => [
      transaction.objectStore(table).delete(keyFor(table, record)),
      transaction.objectStore("aside").put({ table, record }),
    ]);
    return allOf(transaction, Promise.all(work));
  });

/** What was moved out of the way. @returns {Promise<any[]>} */
export const readAside = () => trying(async (database) => database.getAll("aside"));

/**
 * @param {import("idb").IDBPTransaction<unknown, string[], "readwrite">} transaction @param {Written[]} sent
 * @returns {Promise<Written[]>} as they are stored
 */
const putAll = async (transaction, sent) => {
  const stored = [];
  for (const { table, record } of sent) {
    const store = transaction.objectStore(table);
    const there = await store.get(keyFor(table, record));
    const kept = table === "events" ? (there ?? (await numbered(transaction, record))) : there?.updated > record.updated ? there : record;
    if (kept !== there) await store.put(kept);
    stored.push({ table, record: kept });
  }
  return stored;
};

/**
 * An event with the device it was made on and its number there: the order in which things happened, whatever the clock says.
 * @param {import("idb").IDBPTransaction<unknown, string[], "readwrite">} transaction @param {any} event
 */
const numbered = async (transaction, event) => {
  const store = transaction.objectStore("device");
  const device = (await store.get("this")) ?? { name: "this", id: crypto.randomUUID().slice(0, 13), next: 0 };
  await store.put({ ...device, next: device.next + 1 });
  return { ...event, device: device.id, seq: device.next };
};

/** @template Result @param {(database: Database) => Promise<Result>} work @returns {Promise<Result>} */
const trying = async (work) => {
  try {
    return await work(await openDatabase());
  } catch (problem) {
    throw new StoreProblem(problem);
  }
};

/** The transaction's own reason goes before that of one request in it. @template Result @param {import("idb").IDBPTransaction<unknown, string[], "readwrite">} transaction @param {Promise<Result>} work */
const allOf = async (transaction, work) => {
  work.catch(() => abort(transaction));
  await transaction.done;
  return work;
};

/** @param {import("idb").IDBPTransaction<unknown, string[], "readwrite">} transaction */
const abort = (transaction) => {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
};

const LAST_WORDS = "gpubites last words";

/** The page goes, perhaps before IndexedDB gets the turn it needs: what waits is put where that takes no turn, and read at the next visit. */
export const leave = () => {
  if (!allWaiting().length) return;
  try {
    localStorage.setItem(LAST_WORDS, JSON.stringify([...lastWords(), ...allWaiting()]));
  } catch {
    // There is no other place left.
  }
};

/** @returns {Written[]} */
const lastWords = () => JSON.parse(localStorage.getItem(LAST_WORDS) ?? "[]");

/** What an earlier page left behind is stored now. Where that fails it waits here. */
const takeLastWords = () => {
  try {
    for (const { table, record } of lastWords()) wait(table, record);
  } catch {
    // Blocked, or not ours: nothing was left.
  }
  forgetLastWords();
  write("events", []).catch(() => {});
};

const forgetLastWords = () => {
  try {
    localStorage.removeItem(LAST_WORDS);
  } catch {
    // Blocked: there are none.
  }
};

/** @param {Table} table @param {any} record */
const wait = (table, record) => waitingIn(table).set(JSON.stringify(keyOf(table, record)), record);

/** @returns {Written[]} */
const allWaiting = () => [...waiting].flatMap(([table, records]) => [...records.values()].map((record) => ({ table, record })));

/** @param {Table} table */
const waitingIn = (table) => {
  const all = waiting.get(table) ?? new Map();
  waiting.set(table, all);
  return all;
};

/**
 * Hears what other tabs wrote, until the signal. An empty list: more than that has changed.
 * @param {(written: Written[]) => void} listener @param {AbortSignal} signal
 */
export const listen = (listener, signal) => channel()?.addEventListener("message", ({ data }) => listener(data), { signal });

const keyParts = {
  worksheet: ["bite", "step"],
  ticks: ["bite", "point"],
  events: ["id"],
  guesses: ["lab", "updated"],
  drafts: ["file", "part"],
};

/** @param {Table} table @param {any} record @returns {string[]} */
const keyOf = (table, record) => keyParts[table].map((part) => record[part]);

/** As the database knows it. @param {Table} table @param {any} record */
const keyFor = (table, record) => (table === "events" ? record.id : keyOf(table, record));

/** @type {Promise<Database> | undefined} */
let opening;

const openDatabase = () => {
  opening ??= openAt(migrations.length)
    // A newer edition of the site was here. Its tables hold ours.
    .catch((problem) => (problem?.name === "VersionError" ? openAt(undefined) : Promise.reject(problem)))
    .catch((problem) => {
      opening = undefined; // so that the next write tries again
      throw problem;
    });
  return opening;
};

/** @param {number | undefined} version undefined: as it is */
const openAt = async (version) =>
  openDB(NAME, version, {
    upgrade(database, oldVersion) {
      for (const migrate of migrations.slice(oldVersion)) migrate(database);
    },
    // Another tab wants to bring it up to date, or the reader cleared it: let go, and open it again when it is needed.
    blocking(_current, _blocked, event) {
      /** @type {IDBDatabase} */ (event.target).close();
      forget();
    },
    terminated: () => forget(),
  });

const forget = () => {
  opening = undefined;
};

/** @type {BroadcastChannel | null | undefined} */
let word;

/** Null where tabs cannot talk. */
const channel = () => {
  if (word !== undefined) return word;
  try {
    word = new BroadcastChannel(NAME);
  } catch {
    word = null;
  }
  return word;
};

takeLastWords();
