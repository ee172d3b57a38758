// Instant navigation: the next page's <main> takes the place of this one's. Whatever is out of the ordinary is left to the browser.
import { partNamed } from "./part-named.js";
import { siteRoot } from "./site.js";

/** A place is noted once the reader has stopped scrolling for so long. */
const RESTED_MS = 100;

/** Links that a page of this site answers: same origin, below the root, no file. @param {URL} url */
export const isPage = (url, root = siteRoot) =>
  url.origin === root.origin && url.pathname.startsWith(root.pathname) && !/\.[a-z0-9]+$/i.test(url.pathname);

/** The entry script names the version of everything it brings along. @param {Document} page */
const entryOf = (page) => page.querySelector("script[type=module][src]")?.getAttribute("src")?.split("/").pop();

/** @param {() => void} startPage called when a new page stands */
export const startNavigation = (startPage) => {
  if (!history.scrollRestoration) return;
  history.scrollRestoration = "manual";
  // Reloaded, or come back to: the browser leaves that to us now.
  if (typeof history.state?.scroll === "number") addEventListener("load", () => scrollTo(0, history.state?.scroll ?? 0), { once: true });
  // The frame around <main> stays while the address changes, so what it says relative to the first page is fixed now.
  resolveAddresses(document, "a[href], link:not([rel=stylesheet])[href], img[src]", location.href);
  let shown = pageOf(location.href);
  let latest = 0;

  addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (!isPage(url)) return;
    rememberScroll();
    if (pageOf(url.href) === shown) return;
    event.preventDefault();
    go(url.href, true);
  });

  addEventListener("popstate", (event) => {
    if (pageOf(location.href) !== shown) return go(location.href, false, event.state?.scroll ?? 0);
    // Back on the page that stands there: what was on its way is not wanted any more.
    latest += 1;
    document.documentElement.removeAttribute("aria-busy");
    if (event.state) scrollTo(0, event.state.scroll ?? 0);
    else if (!location.hash) scrollTo(0, 0);
  });

  /** Where the reader is in this entry of the history. Not while another page is on its way into it. */
  const rememberScroll = () => {
    if (pageOf(location.href) === shown) history.replaceState({ scroll: scrollY }, "");
  };
  addEventListener("pagehide", rememberScroll);
  let resting = 0;
  addEventListener("scroll", () => {
    clearTimeout(resting);
    resting = window.setTimeout(rememberScroll, RESTED_MS);
  });

  /** @param {string} href @param {boolean} isNew @param {number} [scroll] */
  const go = async (href, isNew, scroll = 0) => {
    const turn = ++latest;
    document.documentElement.setAttribute("aria-busy", "true");
    const next = await load(href);
    // A later click wins.
    if (turn !== latest) return;
    document.documentElement.removeAttribute("aria-busy");
    const main = next?.page.querySelector("main");
    if (!next || !main || entryOf(next.page) !== entryOf(document)) {
      location.assign(href);
      return;
    }
    if (isNew) history.pushState(null, "", next.href);
    shown = pageOf(location.href);
    document.title = next.page.title;
    document.querySelector("main")?.replaceWith(main);
    replaceHead(next.page);
    // Only the browser makes a part the target of the page, by going there itself.
    if (isNew && new URL(href).hash) location.replace(next.href + new URL(href).hash);
    startPage();
    arrive(main, isNew, scroll);
  };
};

/** A page and the address it was found at, which may have gained a slash. Null where it is not an ordinary page. @param {string} href */
const load = async (href) => {
  try {
    const response = await fetch(withoutHash(href), { headers: { Accept: "text/html" } });
    if (!response.ok || !response.headers.get("Content-Type")?.includes("text/html")) return null;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    resolveAddresses(page, "main [href], main [src]", response.url);
    return { page, href: withoutHash(response.url) };
  } catch {
    return null;
  }
};

/** Relative addresses are those of the page they were written in. @param {Document} page @param {string} which @param {string} base */
export const resolveAddresses = (page, which, base) => {
  for (const element of page.querySelectorAll(which)) {
    const attribute = element.hasAttribute("href") ? "href" : "src";
    const value = element.getAttribute(attribute) ?? "";
    const absolute = value.startsWith("#") ? value : new URL(value, base).href;
    if (absolute !== value) element.setAttribute(attribute, absolute);
  }
};

/** What the head says about the page. @param {Document} page */
const replaceHead = (page) => {
  for (const selector of ["meta[name=description]", "link[rel=canonical]"]) {
    const now = document.head.querySelector(selector);
    const next = page.head.querySelector(selector);
    if (now && next) now.replaceWith(next);
  }
};

/** Scrolls and gives the new page the focus, as a full load would. @param {HTMLElement} main @param {boolean} isNew @param {number} scroll */
const arrive = (main, isNew, scroll) => {
  const part = isNew && partNamed(location.hash);
  main.focus({ preventScroll: true });
  if (part) part.scrollIntoView();
  else scrollTo(0, scroll);
};

/** @param {string} href */
const withoutHash = (href) => href.split("#")[0];

/** A query is the page's own affair, such as a hub's filter. @param {string} href */
const pageOf = (href) => href.split(/[?#]/)[0];
