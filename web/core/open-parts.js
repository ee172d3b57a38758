// What is folded opens by itself when a link leads into it, and for printing.
import { decoded, partNamed } from "./part-named.js";

/** Opens every fold around the part that the address names. */
export const openForReading = () => {
  const target = partNamed(location.hash);
  if (!target) return;
  if (target.id !== decoded(location.hash.slice(1))) target.scrollIntoView(); // what the address names is gone, and this stands for it
  if (target.id === "model-answer") target.querySelector("details")?.setAttribute("open", "");
  for (let fold = target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
};

addEventListener("hashchange", openForReading);

/** @type {HTMLDetailsElement[]} */
let openedForPrint = [];
addEventListener("beforeprint", () => {
  openedForPrint = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details:not([open])"))];
  for (const fold of openedForPrint) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of openedForPrint) fold.open = false;
  openedForPrint = [];
});
