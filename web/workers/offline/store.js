// What the service worker keeps between its lives, in Cache Storage: contents by their hash, versions, who reads which, what the reader chose.
import { neededBy, readVersion, sha256 } from "../../core/versions.js";

/** @typedef {import("../../core/versions.js").Version} Version */
/** @typedef {import("../../core/versions.js").SiteFile} SiteFile */

/**
 * `current` is what a new tab gets, `newest` what the server said last. Where the library is kept, `current` stays behind until all of
 * `newest` has been fetched. `earlier` versions still hold what was read then.
 * @typedef {{current: string | null, newest: string | null, earlier: string[], kept: string[], declined: boolean}} Shelf
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** The site's root, with its closing slash. */
export const root = worker.registration.scope;

// Sites under other paths share the origin's storage, so the root is part of the names.
const contents = () => caches.open(`gpubites contents ${root}`);
const records = () => caches.open(`gpubites records ${root}`);
const contentKey = (/** @type {string} */ hash) => `${root}.contents/${hash}`;
const recordKey = (/** @type {string} */ name) => `${root}.records/${name}`;

const EARLIER_KEPT = 2;
// Hashing a page takes a fraction of a millisecond. What is larger is Python's, which the runner checks itself.
const CHECKED_WHEN_SERVED = 1 << 20;
// A client is bound before it exists, as its page is being answered.
const CLIENT_GRACE_MS = 60_000;

/** @returns {Promise<Shelf>} */
export async function readShelf() {
  return (await readRecord("shelf")) ?? { current: null, newest: null, earlier: [], kept: [], declined: false };
}

let changes = Promise.resolve(/** @type {unknown} */ (null));

/** One change after the other, so that none is lost. @param {(shelf: Shelf) => Partial<Shelf>} change @returns {Promise<Shelf>} */
export function changeShelf(change) {
  const changed = changes.then(async () => {
    const shelf = await readShelf();
    const next = { ...shelf, ...change(shelf) };
    await writeRecord("shelf", next);
    return next;
  });
  changes = changed.catch(() => null);
  return changed;
}

/** A manifest never changes, so a version that was read once is read for good. @type {Map<string, Version>} */
const versionsRead = new Map();

/** @param {string | null | undefined} name @returns {Promise<Version | null>} */
export async function versionNamed(name) {
  if (!name) return null;
  const known = versionsRead.get(name);
  if (known) return known;
  const text = await (await (await records()).match(recordKey(`version/${name}`)))?.text();
  const version = text ? await readVersion(text).catch(() => null) : null;
  if (version) versionsRead.set(name, version);
  return version;
}

/** @param {Version} version */
export async function keepVersion(version) {
  if (await versionNamed(version.name)) return;
  await (await records()).put(recordKey(`version/${version.name}`), new Response(version.text));
  versionsRead.set(version.name, version);
}

/** @type {Map<string, string>} */
const bound = new Map();

/** From now on this tab or worker reads this version, whatever is deployed. @param {string} clientId @param {Version} version */
export async function bind(clientId, version) {
  if (!clientId) return;
  bound.set(clientId, version.name);
  await writeRecord(`client/${clientId}`, { version: version.name, since: Date.now() });
}

/** @param {string} clientId @returns {Promise<Version | null>} */
export async function versionReadBy(clientId) {
  if (!clientId) return null;
  const name = bound.get(clientId) ?? (await readRecord(`client/${clientId}`))?.version;
  if (name) bound.set(clientId, name);
  return versionNamed(name);
}

/** The stored content of a file, if it is there and still what its hash says. @param {SiteFile} file @returns {Promise<BodyInit | null>} */
export async function contentOf(file) {
  const cache = await contents();
  const stored = await cache.match(contentKey(file.sha256));
  if (!stored) return null;
  if (file.bytes > CHECKED_WHEN_SERVED) return stored.body;
  const content = await stored.arrayBuffer();
  if ((await sha256(content)) === file.sha256) return content;
  await cache.delete(contentKey(file.sha256)); // a disk that failed, or a script that wrote here
  return null;
}

/** Keeps what has been checked against the hash. @param {SiteFile} file @param {Uint8Array<ArrayBuffer>} content */
export const keepContent = async (file, content) => (await contents()).put(contentKey(file.sha256), new Response(content));

/** @returns {Promise<Set<string>>} */
export async function storedHashes() {
  const stored = await (await contents()).keys();
  return new Set(stored.map((request) => request.url.slice(contentKey("").length)));
}

export const dropContents = () => caches.delete(`gpubites contents ${root}`);

/** The server's newest version is known. Where nothing is kept, it is also what a new tab gets. @param {Version} version */
export async function noteNewest(version) {
  await keepVersion(version);
  return changeShelf((shelf) => (shelf.kept.length ? { newest: version.name } : { newest: version.name, ...moveTo(shelf, version) }));
}

/** All of the version's packs are here: new tabs get it. @param {Version} version @param {string[]} packs */
export const adopt = (version, packs) => changeShelf(() => ({ current: version.name, earlier: [], kept: packs, declined: false }));

/** @param {Shelf} shelf @param {Version} version @returns {Partial<Shelf>} */
function moveTo(shelf, version) {
  if (!shelf.current || shelf.current === version.name) return { current: version.name };
  const earlier = [shelf.current, ...shelf.earlier].filter((name) => name !== version.name);
  return { current: version.name, earlier: earlier.slice(0, EARLIER_KEPT) };
}

/** Drops what no tab reads and no later visit can want: old clients, then versions, then contents. */
export async function sweep() {
  const cache = await records();
  const live = new Set((await worker.clients.matchAll({ includeUncontrolled: true, type: "all" })).map((client) => client.id));
  const shelf = await readShelf();
  const used = new Set([shelf.current, shelf.newest, ...shelf.earlier]);
  const names = (await cache.keys()).map((request) => request.url.slice(recordKey("").length));
  for (const name of names.filter((name) => name.startsWith("client/"))) {
    const client = await readRecord(name);
    if (live.has(name.slice("client/".length)) || Date.now() - client.since < CLIENT_GRACE_MS) used.add(client.version);
    else await cache.delete(recordKey(name));
  }
  for (const name of names.filter((name) => name.startsWith("version/"))) {
    if (used.has(name.slice("version/".length))) continue;
    versionsRead.delete(name.slice("version/".length));
    await cache.delete(recordKey(name));
  }
  const versions = await Promise.all([...used].map(versionNamed));
  const needed = neededBy(versions.filter((version) => version !== null));
  const store = await contents();
  for (const hash of await storedHashes()) {
    if (!needed.has(hash)) await store.delete(contentKey(hash));
  }
}

/** @param {string} name */
const readRecord = async (name) => (await (await records()).match(recordKey(name)))?.json();

/** @param {string} name @param {unknown} value */
const writeRecord = async (name, value) => (await records()).put(recordKey(name), Response.json(value));
