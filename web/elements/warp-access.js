// <warp-access>: steps through two requests of a warp at once, sector by sector or wavefront by wavefront. As it comes, all of both is shown.
import { numbersIn, sayStep, stepFrom } from "../core/access-steps.js";
import { button, make } from "../core/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const PACE = 450; // ms from step to step
const KEYS = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * One request: the parts of its picture, and what each sector or wavefront serves.
 * @typedef {{words: HTMLElement, whole: string, lanes: SVGGraphicsElement[], ways: Map<number, Element>, shares: SVGGraphicsElement[], served: string[], way: SVGPathElement}} Request
 */

class WarpAccess extends HTMLElement {
  /** @type {Request[]} */
  #requests = [];
  /** 0: the whole picture. */
  #step = 0;
  #playing = 0;
  #back = button("Back", () => this.#walk(-1));
  #next = button("Next", () => this.#walk(1));
  #play = button("Play", () => (this.#playing ? this.#pause() : this.#start()));
  #all = button("Show all", () => this.#show(0));
  #where = make("span", { className: "frame-status" });

  connectedCallback() {
    if (this.#requests.length) return;
    this.#requests = [...this.querySelectorAll(".access")].map((figure) => read(/** @type {HTMLElement} */ (figure)));
    const tools = /** @type {HTMLElement} */ (this.querySelector(".access-tools"));
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", `Steps, ${this.#unit} by ${this.#unit}`);
    this.#play.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
    tools.append(this.#back, this.#next, this.#play, this.#all, this.#where);
    this.addEventListener("keydown", (event) => this.#key(event));
    this.#show(0);
  }

  disconnectedCallback() {
    this.#pause();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A table or a line of code that scrolls keeps its keys.
    if (!(event.target instanceof Element && event.target.closest(".access-tools"))) return;
    event.preventDefault();
    this.#walk(KEYS[/** @type {keyof typeof KEYS} */ (event.key)]);
  }

  /** @param {number} by */
  #walk(by) {
    this.#pause();
    this.#show(stepFrom(this.#step, by, this.#most));
  }

  #start() {
    this.#play.textContent = "Pause";
    // What changes by itself is not read aloud step by step.
    this.#listen("off");
    const turn = () => {
      this.#show(stepFrom(this.#step, 1, this.#most));
      if (this.#step) this.#playing = window.setTimeout(turn, PACE);
      else this.#pause();
    };
    turn();
  }

  #pause() {
    clearTimeout(this.#playing);
    this.#playing = 0;
    this.#play.textContent = "Play";
    this.#listen("polite");
  }

  /** @param {"off" | "polite"} how */
  #listen(how) {
    for (const { words } of this.#requests) words.setAttribute("aria-live", how);
  }

  /** @param {number} step */
  #show(step) {
    this.#step = step;
    this.toggleAttribute("data-stepping", step > 0);
    this.#all.disabled = step === 0;
    this.#where.textContent = step ? `Step ${step} of ${this.#most}` : "";
    for (const request of this.#requests) show(request, step, this.#unit);
  }

  get #most() {
    return Math.max(...this.#requests.map(({ shares }) => shares.length));
  }

  get #unit() {
    return this.dataset.unit ?? "sector";
  }
}

/** @param {HTMLElement} figure @returns {Request} */
const read = (figure) => {
  const all = (/** @type {string} */ selector) => /** @type {SVGGraphicsElement[]} */ ([...figure.querySelectorAll(selector)]);
  const words = /** @type {HTMLElement} */ (figure.querySelector(".access-says"));
  const lanes = all(".lanes path");
  const asking = lanes.flatMap((lane, number) => (lane.classList.contains("off") ? [] : [number]));
  const ways = new Map(all(".ways path").map((way, index) => [asking[index], way]));
  const shares = all(".share");
  const way = document.createElementNS(SVG, "path");
  way.classList.add("way");
  figure.querySelector("svg")?.append(way);
  return { words, whole: words.textContent ?? "", lanes, ways, shares, served: shares.map((share) => share.dataset.lanes ?? ""), way };
};

/** @param {Request} request @param {number} step @param {string} unit */
const show = ({ words, whole, lanes, ways, shares, served, way }, step, unit) => {
  words.textContent = step ? sayStep(step, unit, served) : whole;
  const now = step && step <= shares.length ? numbersIn(served[step - 1]) : [];
  for (const [number, lane] of lanes.entries()) lane.classList.toggle("now", now.includes(number));
  for (const [number, line] of ways) line.classList.toggle("now", now.includes(number));
  for (const [index, share] of shares.entries()) {
    share.classList.toggle("now", index === step - 1);
    share.classList.toggle("waits", step > 0 && index >= step);
  }
  const there = ways.size ? null : shares[step - 1]?.transform.baseVal.consolidate()?.matrix;
  way.setAttribute("d", there ? now.map((number) => line(lanes[number].getBBox(), there)).join("") : "");
};

/** From the middle of a lane's foot to the middle of a sector's head. @param {DOMRect} lane @param {DOMMatrix} sector */
const line = (lane, sector) => `M${lane.x + lane.width / 2} ${lane.y + lane.height}L${sector.e + 23} ${sector.f}`;

customElements.define("warp-access", WarpAccess);
