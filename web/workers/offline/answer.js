// Answers a tab's requests from the version that the tab reads, so that what it shows is of one piece, whatever is deployed meanwhile.
import { mediaType, pathOf, placeAt } from "../../core/versions.js";
import { download, Mismatch } from "./download.js";
import { notKeptPage } from "./not-kept-page.js";
import { bind, contentOf, keepContent, readShelf, root, versionNamed, versionReadBy } from "./store.js";

/** @typedef {import("../../core/versions.js").Version} Version */
/** @typedef {import("../../core/versions.js").SiteFile} SiteFile */

// Where a copy is at hand, a network that hangs is not waited for.
const PATIENCE_MS = 4000;
const NEVER_ANSWERED = new Set(["sw.js", "offline.json"]);

/** The path in the site that this request asks for, or null where it is none of ours. @param {Request} request */
export function pathAnswered(request) {
  const path = request.method === "GET" || request.method === "HEAD" ? pathOf(request.url, root) : null;
  return path === null || NEVER_ANSWERED.has(path) ? null : path;
}

/**
 * A query on a page's address is the page's own affair, and a Range is answered with the whole, as HTTP allows.
 * @param {FetchEvent} event @param {string} path
 */
export async function answer(event, path) {
  const response = event.request.mode === "navigate" ? await answerNavigation(event, path) : await answerPart(event, path);
  return event.request.method === "HEAD" && response.status ? new Response(null, response) : response;
}

/**
 * A tab opens. Where the library is kept it reads the current version; else the network first, and what was read when there is none.
 * @param {FetchEvent} event @param {string} path
 */
async function answerNavigation(event, path) {
  const shelf = await readShelf();
  const current = await versionNamed(shelf.current);
  if (current && shelf.kept.length) {
    const kept = await answerFrom(current, event, path);
    if (kept) return kept;
  }
  const earlier = await Promise.all(shelf.earlier.map(versionNamed));
  const versions = [current, ...earlier].filter((version) => version !== null);
  const holder = await firstHolder(versions, path);
  const fallBack = async () => {
    const copy = holder && (await answerFrom(holder, event, path));
    return copy ?? (await unreachable(versions, event, path));
  };
  try {
    const response = await (holder ? Promise.race([fromNetwork(event), giveUp()]) : fromNetwork(event));
    return response.status >= 500 && holder ? await fallBack() : response;
  } catch {
    return fallBack();
  }
}

/** A page that is open wants a script, a picture, the next page's text. @param {FetchEvent} event @param {string} path */
async function answerPart(event, path) {
  const version = await versionReadBy(event.clientId);
  if (!version) return answerUnbound(event, path);
  const place = placeAt(version, path);
  if (!place) return fetch(event.request).catch(() => lostPage(version, event));
  if ("redirect" in place) return redirect(event, place.redirect);
  const { file } = place;
  // A worker is a client of its own, and reads what its page reads.
  if (/worker/.test(event.request.destination)) await bind(event.resultingClientId, version);
  // Who asks past every cache has had a copy that was damaged: this one is looked at before it is given out again.
  const content = await contentOf(file, event.request.cache === "reload" ? Number.POSITIVE_INFINITY : undefined);
  if (content) return fileResponse(file, content);
  if (file.pack !== "library") return fetch(event.request); // the runner counts its bytes as they come, and checks them
  const fetched = await download(file, () => {}).catch(noMixture);
  if (fetched instanceof Response) return fetched;
  event.waitUntil(keepContent(file, fetched).catch(() => {}));
  return fileResponse(file, fetched);
}

/**
 * A tab whose version is not known yet (its first seconds): the network, else the version that a new tab would get.
 * @param {FetchEvent} event @param {string} path
 */
async function answerUnbound(event, path) {
  const response = await fetch(event.request).catch(() => null);
  if (response?.ok) return response;
  const version = await versionNamed((await readShelf()).current);
  const place = version && placeAt(version, path);
  if (!version || !place) return response ?? (version ? lostPage(version, event) : Response.error());
  if ("redirect" in place) return redirect(event, place.redirect);
  const content = await contentOf(place.file);
  return content ? fileResponse(place.file, content) : (response ?? Response.error());
}

/**
 * The answer to a navigation from a version's stored files; the tab reads that version from then on. Null where it has no such file.
 * @param {Version} version @param {FetchEvent} event @param {string} path
 */
async function answerFrom(version, event, path) {
  const place = placeAt(version, path);
  if (!place) return null;
  if ("redirect" in place) return redirect(event, place.redirect);
  const content = await contentOf(place.file);
  if (!content) return null;
  await bind(event.resultingClientId, version);
  return fileResponse(place.file, content);
}

/**
 * Nobody answers and there is no copy: the page is not here, or there is no such page.
 * @param {Version[]} versions @param {FetchEvent} event @param {string} path
 */
async function unreachable(versions, event, path) {
  const [version] = versions;
  if (!version) return Response.error();
  if (versions.some((version) => placeAt(version, path))) return notKeptPage(version);
  await bind(event.resultingClientId, version);
  return lostPage(version, event);
}

/** The 404 page, with its status. @param {Version} version @param {FetchEvent} event */
async function lostPage(version, event) {
  const file = version.files.get("404.html");
  const content = file && /^(document|)$/.test(event.request.destination) ? await contentOf(file) : null;
  return file && content ? fileResponse(file, content, 404) : Response.error();
}

/**
 * Another version has been deployed, and its file in this page would be a mixture: the page loads afresh, or offers to.
 * @param {unknown} error
 */
const noMixture = (error) =>
  error instanceof Mismatch ? new Response(null, { status: 409, statusText: "Another version is on the server" }) : Response.error();

/** The first of these versions that holds what is at the path. @param {Version[]} versions @param {string} path */
async function firstHolder(versions, path) {
  for (const version of versions) {
    const place = placeAt(version, path);
    if (place && ("redirect" in place || (await contentOf(place.file)))) return version;
  }
  return null;
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
const fromNetwork = async (event) => (await event.preloadResponse) ?? fetch(event.request);

/** @returns {Promise<never>} */
const giveUp = () => new Promise((_, reject) => setTimeout(reject, PATIENCE_MS));

/** @param {FetchEvent} event @param {string} folder */
const redirect = (event, folder) => Response.redirect(root + encodeURI(folder) + new URL(event.request.url).search, 302);

/**
 * The response's address is the request's, since it is made here and not fetched: relative imports hang on it.
 * @param {SiteFile} file @param {BodyInit} content
 */
const fileResponse = (file, content, status = 200) =>
  new Response(content, { status, headers: { "Content-Type": mediaType(file.path), "Content-Length": String(file.bytes) } });
