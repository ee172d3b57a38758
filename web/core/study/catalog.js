// What can be studied (study.json), and the parts of a bite's page that a study page shows: one source for both, the page itself.
import { resolveAddresses } from "../navigate.js";
import { siteUrl } from "../site.js";

/** @typedef {import("./today.js").CatalogBite} CatalogBite */
/** @typedef {{bites: CatalogBite[], sections: Record<string, string>}} Catalog */

/** @type {Promise<Catalog> | undefined} */
let fetched;

/** Fetched once, when a study page is opened. Rejects where it cannot be had. @returns {Promise<Catalog>} */
export const readCatalog = () => {
  fetched ??= fetchJson("study.json").catch((problem) => {
    fetched = undefined; // so that the next try fetches again
    throw problem;
  });
  return fetched;
};

/** @param {string} path */
const fetchJson = async (path) => {
  const response = await fetch(siteUrl(path));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
};

/** @type {Map<string, Promise<Document>>} */
const pages = new Map();

/** A bite's page, read for its parts. Rejects where it is not on this device and there is no connection. @param {CatalogBite} bite */
export const readBite = (bite) => {
  const reading = pages.get(bite.url) ?? fetchPage(siteUrl(bite.url));
  pages.set(bite.url, reading);
  reading.catch(() => pages.delete(bite.url));
  return reading;
};

/** @param {string} url */
const fetchPage = async (url) => {
  const response = await fetch(url);
  // A page that stands in for it, such as "not on this device", has another status.
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  resolveAddresses(page, "main [href], main [src]", response.url);
  for (const link of page.querySelectorAll("main a[href^='#']")) link.setAttribute("href", `${url}${link.getAttribute("href")}`);
  return page;
};

/** A section of the page without its heading and what only the page itself can do. @param {Document} page @param {string} anchor */
export const partOf = (page, anchor) => {
  const part = document.createElement("div");
  const section = page.getElementById(anchor);
  // The model answer is folded, and a story's frame stands in its worksheet.
  const content = section?.querySelector(":scope > details.answer, :scope > story-worksheet") ?? section;
  for (const child of content?.children ?? []) {
    if (!child.matches("h2, summary, bite-timer, .answer-first")) part.append(document.importNode(child, true));
  }
  for (const child of part.querySelectorAll(".copy-link")) child.remove();
  part.className = `part-${anchor}`;
  return part;
};

/** The card of a question, ready to be put into a page that knows the element; null where the bite has no such question any more. @param {Document} page @param {string} question */
export const cardOf = (page, question) => {
  const card = page.getElementById(question);
  return card && /** @type {HTMLElement} */ (document.importNode(card, true));
};
