// What the service worker keeps between its lives, in Cache Storage: contents by hash, versions, who reads which, what the reader chose.
import { filesOf, neededBy, readVersion, sha256 } from "../../core/versions.js";

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
// A client is bound before it exists, while its page is being answered; and a page that was left may come back, by the Back button.
const GONE_FOR_GOOD_MS = 15 * 60_000;

/** @returns {Promise<Shelf>} */
export async function readShelf() {
  const { current = null, newest = null, earlier = [], kept = [], declined = false } = (await readRecord("shelf")) ?? {};
  return { current, newest, earlier, kept, declined };
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
  versionsRead.set(version.name, version);
  const [cache, key] = [await records(), recordKey(`version/${version.name}`)];
  // Asked of the store, not of memory: the reader may have cleared it while this worker lives.
  if ((await (await cache.match(key))?.text()) !== version.text) await cache.put(key, new Response(version.text));
}

/** @type {Map<string, string>} */
const bound = new Map();

/** From now on this tab or worker reads this version, whatever is deployed. @param {string} clientId @param {Version} version */
export async function bind(clientId, version) {
  if (!clientId) return;
  bound.set(clientId, version.name);
  // A full disk keeps nothing from being read: without the note a tab is recognized by what it has loaded.
  await writeRecord(`client/${clientId}`, { version: version.name }).catch(() => {});
}

/** @param {string} clientId @returns {Promise<Version | null>} */
export async function versionReadBy(clientId) {
  if (!clientId) return null;
  const name = bound.get(clientId) ?? (await readRecord(`client/${clientId}`))?.version;
  if (name) bound.set(clientId, name);
  return versionNamed(name);
}

/**
 * The stored content of a file, if it is there and still what its hash says.
 * @param {SiteFile} file @param {number} [checked] files of up to so many bytes are hashed @returns {Promise<BodyInit | null>}
 */
export async function contentOf(file, checked = CHECKED_WHEN_SERVED) {
  const cache = await contents();
  const stored = await cache.match(contentKey(file.sha256));
  if (!stored) return null;
  if (file.bytes > checked) return stored.body;
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

/** Are all files of these packs here? @param {Version} version @param {string[]} packs */
export async function isComplete(version, packs) {
  const stored = await storedHashes();
  return filesOf(version, packs).every((file) => stored.has(file.sha256));
}

/** Drops what no tab reads and no later visit can want: versions, then the contents that only they needed. */
export async function sweep() {
  const shelf = await readShelf();
  const used = new Set([shelf.current, shelf.newest, ...shelf.earlier, ...(await versionsInTabs())]);
  const cache = await records();
  for (const name of await recordNames("version/")) {
    if (used.has(name)) continue;
    versionsRead.delete(name);
    await cache.delete(recordKey(`version/${name}`));
  }
  const versions = await Promise.all([...used].map(versionNamed));
  const needed = neededBy(versions.filter((version) => version !== null));
  const store = await contents();
  for (const hash of await storedHashes()) {
    if (!needed.has(hash)) await store.delete(contentKey(hash));
  }
}

/** The versions that open tabs read, and those that went a moment ago. */
async function versionsInTabs() {
  const live = new Set((await worker.clients.matchAll({ includeUncontrolled: true, type: "all" })).map((client) => client.id));
  const versions = [];
  for (const id of await recordNames("client/")) {
    const { version, gone } = (await readRecord(`client/${id}`)) ?? {};
    if (!live.has(id) && Date.now() - (gone ?? Date.now()) > GONE_FOR_GOOD_MS) {
      bound.delete(id);
      await (await records()).delete(recordKey(`client/${id}`));
      continue;
    }
    versions.push(version);
    if (live.has(id) && gone) await writeRecord(`client/${id}`, { version });
    if (!live.has(id) && !gone) await writeRecord(`client/${id}`, { version, gone: Date.now() });
  }
  return versions;
}

/** @param {string} kind with its slash */
async function recordNames(kind) {
  const names = (await (await records()).keys()).map((request) => request.url.slice(recordKey("").length));
  return names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
}

/** A record that is no JSON is none: what was noted there is found out anew. @param {string} name */
const readRecord = async (name) => (await (await records()).match(recordKey(name)))?.json().catch(() => null);

/** @param {string} name @param {unknown} value */
const writeRecord = async (name, value) => (await records()).put(recordKey(name), Response.json(value));
