// What readers make here, kept on their device: one IndexedDB database, one transaction per write, and word to the other tabs.
//
// Every record has an `updated` stamp, and the latest one counts.

/** @typedef {"worksheet" | "ticks" | "guesses"} Table */

const NAME = "gpubites";

/**
 * One step per version of the database, oldest first. A step adds and never removes: an old tab may still be reading what it made.
 * @type {((database: IDBDatabase) => void)[]}
 */
const migrations = [
  (database) => {
    database.createObjectStore("worksheet", { keyPath: ["bite", "step"] });
    database.createObjectStore("ticks", { keyPath: ["bite", "point"] });
  },
  (database) => {
    database.createObjectStore("guesses", { keyPath: ["lab", "updated"] });
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
 * Every record of a table whose key begins with `first`. Rejects where nothing can be read, after which `unstored` still answers.
 * @param {Table} table @param {string} first @returns {Promise<any[]>}
 */
export const readAll = async (table, first) => {
  try {
    const transaction = (await openDatabase()).transaction(table);
    // An array comes after every text, so this is all keys that begin with it.
    const request = transaction.objectStore(table).getAll(IDBKeyRange.bound([first], [first, []]));
    await ended(transaction);
    return request.result;
  } catch (problem) {
    throw new StoreProblem(problem);
  }
};

/** What this visit has written and could not store. @param {Table} table @param {string} first @returns {any[]} */
export const unstored = (table, first) => [...waitingIn(table).values()].filter((record) => keyOf(table, record)[0] === first);

/**
 * Keeps these records, all or none, together with those that could not be stored before; then the other tabs hear of them.
 * @param {Table} table @param {any[]} records
 */
export const write = async (table, records) => {
  for (const record of records) wait(table, record);
  const sent = allWaiting();
  if (!sent.length) return;
  try {
    const transaction = (await openDatabase()).transaction([...waiting.keys()], "readwrite");
    for (const { table, record } of sent) putIfNewer(transaction.objectStore(table), record, keyOf(table, record));
    await ended(transaction);
  } catch (problem) {
    throw new StoreProblem(problem);
  }
  for (const { table, record } of sent) {
    const key = JSON.stringify(keyOf(table, record));
    if (waitingIn(table).get(key) === record) waitingIn(table).delete(key);
  }
  channel()?.postMessage(sent);
};

/** @param {IDBObjectStore} store @param {any} record @param {string[]} key */
const putIfNewer = (store, record, key) => {
  const request = store.get(key);
  request.onsuccess = () => {
    if (!(request.result?.updated > record.updated)) store.put(record);
  };
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

/** @returns {{table: Table, record: any}[]} */
const lastWords = () => JSON.parse(localStorage.getItem(LAST_WORDS) ?? "[]");

/** What an earlier page left behind waits here from now on. */
const takeLastWords = () => {
  try {
    for (const { table, record } of lastWords()) wait(table, record);
    localStorage.removeItem(LAST_WORDS);
  } catch {
    // Blocked, or not ours: nothing was left.
  }
};

/** @param {Table} table @param {any} record */
const wait = (table, record) => waitingIn(table).set(JSON.stringify(keyOf(table, record)), record);

const allWaiting = () => [...waiting].flatMap(([table, records]) => [...records.values()].map((record) => ({ table, record })));

/** @param {Table} table */
const waitingIn = (table) => {
  const all = waiting.get(table) ?? new Map();
  waiting.set(table, all);
  return all;
};

/**
 * Hears what other tabs wrote, until the signal.
 * @param {(written: {table: Table, record: any}[]) => void} listener @param {AbortSignal} signal
 */
export const listen = (listener, signal) => channel()?.addEventListener("message", ({ data }) => listener(data), { signal });

const keyParts = { worksheet: ["bite", "step"], ticks: ["bite", "point"], guesses: ["lab", "updated"] };

/** @param {Table} table @param {any} record @returns {string[]} */
const keyOf = (table, record) => keyParts[table].map((part) => record[part]);

/** @type {Promise<IDBDatabase> | undefined} */
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

/** @param {number | undefined} version undefined: as it is @returns {Promise<IDBDatabase>} */
const openAt = (version) =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, version);
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const migrate of migrations.slice(oldVersion)) migrate(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      // Another tab wants to bring it up to date, or the reader cleared it: let go, and open it again when it is needed.
      database.onversionchange = () => {
        database.close();
        forget();
      };
      database.onclose = forget;
      resolve(database);
    };
  });

const forget = () => {
  opening = undefined;
};

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const ended = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

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
