// A number says where it comes from, a term what it means: when it is pointed at, focused or tapped. The note itself is a chunk that comes with the first one.

/** @param {Event} event */
const referenceOf = (event) =>
  event.target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (event.target.closest("a.fact, a.term")) : null;

const load = () => import("../elements/reference-note.js");

/** One listener of each kind for all numbers and terms, also those of pages to come. Called before navigation, which leaves a handled click alone. */
export const explainReferences = () => {
  let pointer = "";

  addEventListener("pointerover", (event) => {
    const link = referenceOf(event);
    // Where the note cannot be fetched, the link still leads to the fact or the term.
    if (link && event.pointerType === "mouse") load().then(({ showWhenHovered }) => showWhenHovered(link), ignore);
  });

  addEventListener("focusin", (event) => {
    const link = referenceOf(event);
    if (link?.matches(":focus-visible")) load().then(({ showNote }) => showNote(link), ignore);
  });

  addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
  });

  addEventListener("click", (event) => {
    const link = referenceOf(event);
    // The first tap opens the note; a tap on one whose note is open follows the link, as a mouse and Enter always do.
    if (!link || pointer !== "touch" || link.hasAttribute("aria-describedby")) return;
    event.preventDefault();
    load()
      .then(({ showNote }) => showNote(link))
      .then((shown) => shown || location.assign(link.href))
      .catch(() => location.assign(link.href));
  });
};

const ignore = () => {};
