// The search of this site: its index is fetched when it is first asked for, and anew where the site has changed meanwhile.
import { siteUrl } from "../site.js";
import { Gone, openIndex } from "./index.js";
import { createSearch } from "./search.js";

/** @typedef {import("./search.js").Narrowing} Narrowing */
/** @typedef {{search: ReturnType<typeof createSearch>, sections: [string, string][]}} Opened `sections` with a bite, as id and name */

/** @type {Promise<Opened> | undefined} */
let opened;

/** Fetches the head of the index, once. A failed fetch is tried again the next time. */
export const openSearch = () => {
  opened ??= open();
  opened.catch(forgetIndex);
  return opened;
};

/** The next search fetches the index anew. */
export const forgetIndex = () => {
  opened = undefined;
};

/** @param {string} query @param {Narrowing} narrowing */
export const findInSite = async (query, narrowing) => {
  try {
    return await (await openSearch()).search.find(query, narrowing);
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
    // A file of the index has gone with the deploy of another: all of it is fetched anew, so that two builds are never mixed.
    forgetIndex();
    return (await openSearch()).search.find(query, narrowing);
  }
};

/** @returns {Promise<Opened>} */
const open = async () => {
  // Never from a stale HTTP cache. The other files carry the hash of their content in their names.
  const head = await read("search.json", "no-cache");
  const index = openIndex(head, read);
  const used = new Set(Array.from(head.in, (digit) => Number.parseInt(digit, 36)));
  const sections = /** @type {[string, string][]} */ (Object.entries(head.sections)).filter((_, number) => used.has(number));
  return { search: createSearch(index), sections };
};

/** @param {string} path @param {RequestCache} [cache] */
const read = async (path, cache = "default") => {
  const response = await fetch(siteUrl(path), { cache });
  // 404: not there any more. 409: the service worker keeps files of two builds apart.
  if (response.status === 404 || response.status === 409) throw new Gone(path);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
};
