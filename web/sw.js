// The service worker: answers requests, and does what pages ask for. Its code knows nothing of any version of the site.
//
// It takes over at once when its own code changes (skipWaiting). That is safe here, because which files a tab reads does not hang on
// which worker answers: a tab is bound to a version of the site, and that is written down in the store (workers/offline/store.js).
//
// Files are looked up by hash only, never by address, so a script that writes to the caches cannot slip a page in under its address.
// It could still rewrite the store's lists, as any script of this origin could: that is why a reader's code runs in a frame without one.
import { bytesOf, couldBe, filesOf, packNames, pathOf, placeAt } from "./core/versions.js";
import { answer, pathAnswered } from "./workers/offline/answer.js";
import { failure, fetchPacks, inTurn, newestVersion, remember } from "./workers/offline/download.js";
import {
  bind,
  changeShelf,
  dropContents,
  isComplete,
  readShelf,
  root,
  sweep,
  versionNamed,
  versionReadBy,
} from "./workers/offline/store.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("activate", (event) => event.waitUntil(Promise.all([worker.clients.claim(), preload()])));

worker.addEventListener("fetch", (event) => {
  const path = pathAnswered(event.request);
  // Whatever is wrong with the store, the network is still there.
  if (path !== null) event.respondWith(answer(event, path).catch(() => fetch(event.request)));
});

/**
 * What a page may ask for: it sends `{ask, …}` and a port, and gets `{progress}` and then `{reply}`.
 * @type {Record<string, (given: any, client: Client, report: (progress: object) => void) => Promise<object>>}
 */
const tasks = {
  /** A tab says hello when it has loaded: it is bound to its version, and what it has read is kept. */
  async hello({ urls, controlled }, client) {
    if (!controlled) await worker.clients.claim(); // a forced reload goes past the worker
    const newest = await newestVersion().catch(() => null);
    const version = (await versionReadBy(client.id)) ?? (await recognized(client, urls));
    if (version) await remember(version, loadedFiles(version, urls));
    await tellOthers();
    await inTurn(sweep);
    const shelf = await readShelf();
    const upToDate = newest === null || (newest.name === shelf.current && (await isComplete(newest, shelf.kept)));
    return { ...choice(shelf), behind: await isBehind(client), update: !upToDate };
  },

  /** Fetches packs for a while. The page asks again until the state is `kept`. */
  async keep({ packs }, _client, report) {
    const { kept } = await readShelf();
    return fetched([...new Set(["library", ...kept, ...packs])], report);
  },

  /** The same for a newer version of what is kept already, unless the reader has removed it meanwhile. */
  async update(_given, _client, report) {
    const { kept } = await readShelf();
    return kept.length ? fetched(kept, report) : { state: "removed" };
  },

  async status() {
    const shelf = await readShelf();
    const version = await versionNamed(shelf.current);
    const sizes = version && Object.fromEntries(packNames.map((pack) => [pack, bytesOf(filesOf(version, [pack]))]));
    return { ...choice(shelf), sizes };
  },

  /** The reader wants the room back. Open tabs stay bound to their version and read it from the network. */
  async remove() {
    await inTurn(dropContents);
    const shelf = await changeShelf((shelf) => ({ kept: [], current: shelf.newest, earlier: [], declined: true }));
    await preload();
    await tellOthers();
    return choice(shelf);
  },
};

worker.addEventListener("message", (event) => {
  const [port] = event.ports;
  const task = tasks[event.data?.ask];
  if (!port || !task) return;
  const done = task(event.data, /** @type {Client} */ (event.source), (progress) => port.postMessage({ progress }));
  event.waitUntil(done.catch(failure).then((reply) => port.postMessage({ reply })));
});

/** @param {string[]} packs @param {(progress: object) => void} report */
async function fetched(packs, report) {
  const outcome = await fetchPacks(packs, report);
  if (outcome.state === "kept") {
    await preload();
    await tellOthers();
  }
  return { ...outcome, ...choice(await readShelf()) };
}

/** @param {import("./workers/offline/store.js").Shelf} shelf */
const choice = ({ kept, declined }) => ({ kept, declined });

/** Binds a tab that came from the network to the version it shows, if its scripts say which. @param {Client} client @param {string[]} urls */
async function recognized(client, urls) {
  const shelf = await readShelf();
  const paths = urls.map((url) => pathOf(url, root) ?? "").filter((path) => path !== "");
  for (const name of new Set([shelf.newest, shelf.current, ...shelf.earlier])) {
    const version = await versionNamed(name);
    if (!version || !couldBe(version, paths)) continue;
    await bind(client.id, version);
    return version;
  }
  return null;
}

/** The paths of the files behind these addresses. @param {import("./core/versions.js").Version} version @param {string[]} urls */
function loadedFiles(version, urls) {
  const places = urls.map((url) => placeAt(version, pathOf(url, root) ?? "404.html"));
  return places.flatMap((place) => (place && "file" in place ? [place.file.path] : []));
}

/** Does this tab read something older than a new tab would get? @param {Client} client */
async function isBehind(client) {
  const [shelf, version] = await Promise.all([readShelf(), versionReadBy(client.id)]);
  return shelf.current !== null && shelf.current !== version?.name && shelf.newest !== version?.name;
}

/** Every tab hears what is kept now, and whether a newer version than its own is there. */
async function tellOthers() {
  const shelf = await readShelf();
  for (const client of await worker.clients.matchAll({ type: "window" })) {
    // A tab that has not said hello yet is told when it does.
    const behind = (await versionReadBy(client.id)) ? await isBehind(client) : false;
    client.postMessage({ offline: { ...choice(shelf), behind } });
  }
}

/** Where the network comes first, a page is asked for while the worker is still starting. */
async function preload() {
  const { kept } = await readShelf();
  const { navigationPreload } = worker.registration;
  if (kept.length) await navigationPreload?.disable();
  else await navigationPreload?.enable();
}
