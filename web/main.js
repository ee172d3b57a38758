// The entry: small, and on every page. Whatever is heavy is a chunk of its own, loaded when the page holds it or the reader asks.
import { codeIn } from "./core/code-link.js";
import { copyLinks } from "./core/copy-link.js";
import { startNavigation } from "./core/navigate.js";
import { openForReading } from "./core/open-parts.js";
import { partNamed } from "./core/part-named.js";
import { explainReferences } from "./core/reference-links.js";
import { sayLost, sayOnPage } from "./core/say-lost.js";

/** Element → the chunk that brings it to life. A lazy chunk of its own loads more only when the reader presses a button. */
const elements = {
  "bite-filter": () => import("./elements/bite-filter.js"),
  "bite-timer": () => import("./elements/bite-timer.js"),
  "compute-lab": () => import("./elements/compute-lab.js"),
  "fact-filter": () => import("./elements/fact-filter.js"),
  "keep-offline": () => import("./elements/keep-offline.js"),
  "knowledge-map": () => import("./elements/knowledge-map.js"),
  "py-snippet": () => import("./elements/py-snippet.js"),
  "quiz-card": () => import("./elements/quiz-card.js"),
  "search-page": () => import("./elements/search-page.js"),
  "sim-lab": () => import("./elements/sim-lab.js"),
  "shader-demo": () => import("./elements/shader-demo.js"),
  "vendor-lens": () => import("./elements/vendor-lens.js"),
  "warp-access": () => import("./elements/warp-access.js"),
  "story-worksheet": () => import("./elements/story-worksheet.js"),
  "study-interview": () => import("./elements/study/interview.js"),
  "study-progress": () => import("./elements/study/progress.js"),
  "study-review": () => import("./elements/study/review.js"),
  "study-today": () => import("./elements/study/today.js"),
};

// A chunk is worth its bytes when its element is about to be seen, not before.
const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) if (entry.isIntersecting) bring(entry.target);
  },
  { rootMargin: "400px" },
);

/** @param {Element} element */
const bring = (element) => {
  seen.unobserve(element);
  const load = elements[/** @type {keyof typeof elements} */ (element.localName)];
  // Without it the page still reads; it is asked for again when the network is back.
  load().catch(() => addEventListener("online", () => seen.observe(element), { once: true }));
};

/** Called for the first page and after every navigation. */
const startPage = () => {
  for (const element of document.querySelectorAll(Object.keys(elements).join(","))) seen.observe(element);
  openForReading();
  sayStrayCode();
};

/** An address with code for a program that is not here: the program has another name now, or the link is damaged. */
const sayStrayCode = () => {
  if (!codeIn(location.hash) || partNamed(location.hash)?.querySelector("[data-file]")) return;
  sayOnPage("The link holds code for a program that is not on this page, so it is left out.", "Close");
};
addEventListener("hashchange", sayStrayCode);

/** Opens the search box; the box, its engine and its documents come with this call. */
const openSearch = () =>
  import("./elements/search-box.js").then(
    ({ openSearchBox }) => openSearchBox(),
    () => sayLost("Search could not be loaded."),
  );

addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-search]")) openSearch();
});
addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
  const asked =
    (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) || (event.key === "k" && (event.ctrlKey || event.metaKey));
  if (!asked) return;
  event.preventDefault();
  openSearch();
});

/** @type {any} */ (window).gpubites = {
  /** Fetches and verifies the whole library. @param {object} [options] */
  keepOffline: async (options) => (await import("./core/offline.js")).keepOffline(options),
};

copyLinks();
explainReferences();
startNavigation(startPage);
startPage();
const whenIdle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
addEventListener("load", () => whenIdle(() => import("./core/offline.js").then(({ startOffline }) => startOffline()).catch(() => {})));
