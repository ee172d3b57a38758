// Keeping the site offline, as a page sees it: it asks the service worker, and passes on what it hears.
import { siteRoot, siteUrl, snapshotCache } from "./site.js";

/** @typedef {{done: number, total: number}} Progress bytes */
/** @typedef {{library: number, python: number}} Sizes bytes; `python` holds numpy too */
/** @typedef {"library" | "python"} Part */
/** @typedef {{possible: boolean, kept: Part[], sizes: Sizes | null}} OfflineState */

/** `state`: what is kept may have changed. `progress`, with `{part, done, total}`: something is being fetched for the reader. */
export const offline = new EventTarget();

const packsOf = { library: ["library"], python: ["library", "python", "numpy"] };

const BEGUN_AFTER_MS = 3000;
const SILENT_MS = 60_000;
const MAY_BE_LOST = 3;
const CHECK_EVERY_MS = 60_000;

/** Called once a page, when it has nothing better to do. Where storage is blocked, nothing happens. */
export async function startOffline() {
  if (!container()) return;
  addEventListener("appinstalled", keepAsApp);
  if (!container()?.controller) await readingBegins();
  // Before the first check, which may take long: a network that comes back meanwhile is not missed.
  addEventListener("online", check);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && Date.now() - greetedAt > CHECK_EVERY_MS) check();
  });
  await check();
  if (matchMedia("(display-mode: standalone)").matches && !greeted.kept.length && !greeted.declined) keepAsApp();
}

/** Is there anything newer? A check that fails is made again later. */
const check = () => greet().catch(() => {});

/**
 * Fetches the whole library, and Python too if asked. Resolves when every file has been checked and the site works without a network;
 * rejects with an {@link OfflineProblem} that says what to do.
 * @param {{python?: boolean, onProgress?: (progress: Progress) => void}} [options]
 */
export async function keepOffline({ python = false, onProgress = () => {} } = {}) {
  await greet();
  navigator.storage?.persist?.().catch(() => {}); // asks the browser not to clear it when room gets short; it may refuse
  const part = python ? "python" : "library";
  await fetchAll({ ask: "keep", packs: packsOf[part] }, (progress) => {
    onProgress(progress);
    offline.dispatchEvent(new CustomEvent("progress", { detail: { part, ...progress } }));
  });
}

/** Gives the room back. The site works on, with a network. */
export async function removeOffline() {
  hear(await ask(await activeWorker(), { ask: "remove" }));
  caches.delete(snapshotCache).catch(() => {});
}

/** What can be kept here, what is, and how large it is. @returns {Promise<OfflineState>} */
export async function offlineState() {
  if (!(await storageWorks())) return { possible: false, kept: [], sizes: null };
  const status = await workersStatus();
  const sizes = status?.sizes ?? (await fetchedSizes());
  return {
    possible: true,
    kept: partsOf(status?.kept ?? []),
    sizes: sizes && { library: sizes.library, python: sizes.python + sizes.numpy },
  };
}

/** Has the reader chosen to keep Python on this device? Costs no request. */
export const keepsPython = async () => partsOf((await workersStatus())?.kept ?? []).includes("python");

/** Null where no worker answers. */
async function workersStatus() {
  const registration = await container()
    ?.getRegistration(siteRoot)
    .catch(() => undefined);
  return registration?.active ? ask(registration.active, { ask: "status" }).catch(() => null) : null;
}

/** Why it could not be done, in words for the reader. */
export class OfflineProblem extends Error {
  /** @param {string} reason blocked | full | mismatch | network | storage @param {string} message */
  constructor(reason, message) {
    super(message);
    this.name = "OfflineProblem";
    this.reason = reason;
  }
}

let greeted = { kept: /** @type {string[]} */ ([]), declined: false };
let greetedAt = 0;

/** Tells the worker what this tab has loaded, and hears whether there is something newer. */
async function greet() {
  greetedAt = Date.now();
  const worker = await activeWorker();
  const urls = loadedAddresses().filter((url) => url.startsWith(siteRoot.href) && url !== siteUrl("sw.js"));
  const reply = await ask(worker, { ask: "hello", urls, controlled: Boolean(container()?.controller) });
  greeted = reply;
  hear(reply);
  if (reply.kept.length && reply.update) fetchAll({ ask: "update" }, () => {}).catch(() => {}); // the next visit tries again
}

/** The page and all that it has loaded so far. */
const loadedAddresses = () => [
  location.href,
  ...Array.from(document.scripts, (script) => script.src),
  ...performance.getEntriesByType("resource").map((entry) => entry.name),
];

/** @type {Promise<ServiceWorkerRegistration> | undefined} */
let registered;

/** @returns {Promise<ServiceWorker>} */
async function activeWorker() {
  const workers = container();
  if (!workers) throw blocked();
  // Gone, because the reader has cleared what the site stored: begun again.
  if (registered && !(await workers.getRegistration(siteRoot))) registered = undefined;
  registered ??= register(workers);
  const registration = await registered.catch((error) => {
    registered = undefined;
    throw error;
  });
  if (!registration.active) await once(registration.installing ?? registration.waiting, () => registration.active !== null);
  return /** @type {ServiceWorker} */ (registration.active);
}

/** @param {MessageEvent} event */
const hearWorker = (event) => event.data?.offline && hear(event.data.offline);

/** @param {ServiceWorkerContainer} workers */
async function register(workers) {
  workers.addEventListener("message", hearWorker); // the same listener again is none more
  workers.startMessages();
  try {
    return await workers.register(siteUrl("sw.js"), { updateViaCache: "none" });
  } catch (error) {
    // Without a network the script cannot be looked up again, but what was registered still serves.
    const known = await workers.getRegistration(siteRoot).catch(() => undefined);
    if (known?.active) return known;
    throw error instanceof TypeError ? new OfflineProblem("network", "The network is needed once, to fetch the library.") : blocked();
  }
}

/** @param {ServiceWorker | null} worker @param {() => boolean} reached */
const once = (worker, reached) =>
  new Promise((resolve, reject) => {
    if (!worker) reject(new OfflineProblem("storage", "The browser could not start the offline worker."));
    worker?.addEventListener("statechange", () => {
      if (reached()) resolve(undefined);
      if (worker.state === "redundant") reject(new OfflineProblem("storage", "The browser could not start the offline worker."));
    });
  });

/**
 * Asks until everything is there. The worker stops after a while, since a browser ends what takes too long; and where the browser was
 * quicker, or another worker has taken over, that one goes on with what has come in.
 * @param {object} message @param {(progress: Progress) => void} onProgress
 */
async function fetchAll(message, onProgress) {
  for (let lost = 0; ; ) {
    try {
      const reply = await ask(await activeWorker(), message, onProgress);
      if (reply.state !== "more") return hear(reply);
    } catch (problem) {
      if (!(problem instanceof WorkerLost) || ++lost === MAY_BE_LOST) throw problem;
    }
  }
}

/** The browser stopped the worker, or another one took over, before it answered. */
class WorkerLost extends OfflineProblem {
  constructor() {
    super("storage", "The browser stopped the offline worker. Try again.");
  }
}

/**
 * @param {ServiceWorker} worker @param {object} message @param {(progress: Progress) => void} [onProgress]
 * @returns {Promise<any>} the worker's reply; every answer is of our own making (web/sw.js)
 */
function ask(worker, message, onProgress) {
  const { port1, port2 } = new MessageChannel();
  const over = new AbortController();
  /** @type {Promise<any>} */
  const answered = new Promise((resolve, reject) => {
    const lose = () => reject(new WorkerLost());
    let timer = setTimeout(lose, SILENT_MS);
    over.signal.addEventListener("abort", () => clearTimeout(timer));
    worker.addEventListener("statechange", () => worker.state === "redundant" && lose(), over);
    port1.onmessage = ({ data: { progress, reply } }) => {
      clearTimeout(timer);
      timer = setTimeout(lose, SILENT_MS);
      if (progress) onProgress?.(progress);
      else if (reply.state === "failed") reject(new OfflineProblem(reply.reason, reply.message));
      else resolve(reply);
    };
    worker.postMessage(message, [port2]);
  });
  return answered.finally(() => {
    over.abort();
    port1.close();
  });
}

/** @param {{behind?: boolean}} news */
function hear(news) {
  offline.dispatchEvent(new Event("state"));
  if (news.behind) import("../elements/site-notice.js").then(({ offerReload }) => offerReload());
}

/** The app was installed: it gets the whole library, in sight. */
const keepAsApp = () => import("../elements/site-notice.js").then(({ showKeeping }) => showKeeping());

/** First views stay small: nothing is fetched for later before the reader has scrolled, touched, typed or stayed. */
const readingBegins = () =>
  new Promise((resolve) => {
    for (const sign of ["scroll", "pointerdown", "keydown"]) addEventListener(sign, resolve, { once: true, passive: true });
    setTimeout(resolve, BEGUN_AFTER_MS);
  });

/** Null where the page may not have a worker: storage blocked, or no secure address. */
function container() {
  try {
    return navigator.serviceWorker ?? null;
  } catch {
    return null;
  }
}

async function storageWorks() {
  try {
    return container() !== null && (await caches.keys()) !== null;
  } catch {
    return false;
  }
}

const blocked = () =>
  new OfflineProblem(
    "blocked",
    "This browser does not let the site store anything, so it cannot be kept offline. Reading works as before.",
  );

/** The sizes before there is a worker to ask. @returns {Promise<Record<string, number> | null>} */
async function fetchedSizes() {
  try {
    const { packs } = await (await fetch(siteUrl("offline.json"))).json();
    return { library: packs.library.bytes, python: packs.python.bytes, numpy: packs.numpy.bytes };
  } catch {
    return null;
  }
}

/** @param {string[]} packs */
const partsOf = (packs) => /** @type {Part[]} */ (["library", "python"]).filter((part) => packs.includes(part));
