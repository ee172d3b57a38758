// The knowledge map: a filter over picture and list, and the way to a bite lit when it is pointed at or focused.
import { isOnMap, relationsOf } from "../core/map-relations.js";

/** Kept free around what a choice leaves of the picture. */
const MARGIN = 16;

class KnowledgeMap extends HTMLElement {
  #listening = new AbortController();

  connectedCallback() {
    const form = this.querySelector("form");
    const picture = /** @type {SVGSVGElement | null} */ (this.querySelector("svg.map"));
    if (!form || !picture) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const nodes = [.../** @type {NodeListOf<SVGGElement>} */ (picture.querySelectorAll(".map-node"))];
    const edges = [.../** @type {NodeListOf<SVGPathElement>} */ (picture.querySelectorAll(".map-edges path"))];
    const prereqs = new Map(nodes.map((node) => [node.dataset.slug ?? "", words(node.dataset.prereqs)]));

    const light = (/** @type {Element | null | undefined} */ node) =>
      lightUp(picture, nodes, edges, prereqs, node instanceof SVGElement ? (node.dataset.slug ?? "") : "");
    const nodeOf = (/** @type {EventTarget | null} */ target) => (target instanceof Element ? target.closest(".map-node") : null);
    for (const kind of ["pointerover", "focusin"]) picture.addEventListener(kind, (event) => light(nodeOf(event.target)), { signal });
    for (const kind of ["pointerleave", "focusout"]) picture.addEventListener(kind, () => light(null), { signal });
    form.addEventListener("change", () => this.#filter(form, picture, nodes, edges), { signal });
    form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    this.#filter(form, picture, nodes, edges);
  }

  disconnectedCallback() {
    this.#listening.abort();
  }

  /** @param {HTMLFormElement} form @param {SVGSVGElement} picture @param {SVGGElement[]} nodes @param {SVGPathElement[]} edges */
  #filter(form, picture, nodes, edges) {
    const given = new FormData(form);
    const choice = { section: String(given.get("section") ?? ""), role: String(given.get("role") ?? "") };
    const fits = (/** @type {HTMLElement | SVGElement} */ item) =>
      isOnMap({ section: item.dataset.section ?? "", roles: words(item.dataset.roles) }, choice);
    const shown = nodes.filter(fits);
    const slugs = new Set(shown.map((node) => node.dataset.slug));
    for (const node of nodes) setShown(node, slugs.has(node.dataset.slug));
    for (const edge of edges) setShown(edge, slugs.has(edge.dataset.start) && slugs.has(edge.dataset.end));
    const sections = new Set(shown.map((node) => node.dataset.section));
    for (const lane of /** @type {NodeListOf<SVGGElement>} */ (picture.querySelectorAll(".map-lane"))) {
      setShown(lane, sections.has(lane.dataset.section));
    }
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".map-list li"))) item.hidden = !fits(item);
    for (const list of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".map-list"))) {
      list.hidden = !list.querySelector("li:not([hidden])");
    }
    crop(picture, Boolean(choice.section));
    const count = this.querySelector(".filter-count");
    if (count) count.textContent = shown.length === 1 ? "1 bite" : `${shown.length} bites`;
    const none = /** @type {HTMLElement | null} */ (this.querySelector(".filter-none"));
    if (none) none.hidden = shown.length > 0;
  }
}

/** @param {string | undefined} list */
const words = (list) => (list ? list.split(" ") : []);

/** SVG knows no `hidden`. @param {SVGElement} part @param {boolean} isShown */
const setShown = (part, isShown) => {
  part.style.display = isShown ? "" : "none";
};

/** One section: the picture shrinks to what is left of it, at the same scale. @param {SVGSVGElement} picture @param {boolean} isNarrowed */
const crop = (picture, isNarrowed) => {
  picture.dataset.whole ??= picture.getAttribute("viewBox") ?? "";
  picture.setAttribute("viewBox", picture.dataset.whole);
  let [left, top, width, height] = picture.dataset.whole.split(" ").map(Number);
  const boxes = [.../** @type {NodeListOf<SVGRectElement | SVGTextElement>} */ (picture.querySelectorAll(".map-node rect"))]
    .filter((box) => box.parentElement?.style.display !== "none")
    .map((box) => box.getBBox());
  if (isNarrowed && boxes.length) {
    left = Math.min(...boxes.map((box) => box.x)) - MARGIN;
    top = Math.min(...boxes.map((box) => box.y)) - MARGIN;
    width = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN - left;
    height = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN - top;
  }
  picture.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
};

/**
 * Lights what a bite rests on and what it leads to; none for an empty slug.
 * @param {SVGSVGElement} picture @param {SVGGElement[]} nodes @param {SVGPathElement[]} edges @param {Map<string, string[]>} prereqs @param {string} slug
 */
const lightUp = (picture, nodes, edges, prereqs, slug) => {
  const { before, after } = relationsOf(slug, prereqs);
  picture.classList.toggle("is-lit", slug !== "");
  for (const node of nodes) {
    const name = node.dataset.slug ?? "";
    node.classList.toggle("is-here", name === slug);
    node.classList.toggle("is-before", before.has(name));
    node.classList.toggle("is-after", after.has(name));
  }
  for (const edge of edges) {
    const { start = "", end = "" } = edge.dataset;
    edge.classList.toggle("is-before", before.has(start) && (end === slug || before.has(end)));
    edge.classList.toggle("is-after", start === slug);
  }
};

customElements.define("knowledge-map", KnowledgeMap);
