// A number says where it comes from: when it is pointed at, focused or tapped. The note itself is a chunk that comes with the first one.

/** @param {Event} event */
const factOf = (event) =>
  event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a.fact")) : null;

const load = () => import("../elements/fact-note.js");

/** One listener of each kind for all numbers, also those of pages to come. Called before navigation, which leaves a handled click alone. */
export const explainFacts = () => {
  let pointer = "";

  addEventListener("pointerover", (event) => {
    const link = factOf(event);
    // Where the note cannot be fetched, the link still leads to the fact.
    if (link && event.pointerType === "mouse") load().then(({ showWhenHovered }) => showWhenHovered(link), ignore);
  });

  addEventListener("focusin", (event) => {
    const link = factOf(event);
    if (link?.matches(":focus-visible")) load().then(({ showNote }) => showNote(link), ignore);
  });

  addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
  });

  addEventListener("click", (event) => {
    const link = factOf(event);
    // The first tap opens the note; a tap on a number whose note is open follows the link, as a mouse and Enter always do.
    if (!link || pointer !== "touch" || link.hasAttribute("aria-describedby")) return;
    event.preventDefault();
    load()
      .then(({ showNote }) => showNote(link))
      .then((shown) => shown || location.assign(link.href))
      .catch(() => location.assign(link.href));
  });
};

const ignore = () => {};
