// What every study page does: reads the catalog and the log, draws, and draws again when another tab, the date or the log changes.

import { siteUrl } from "../../core/site.js";
import { readCatalog } from "../../core/study/catalog.js";
import { momentHere } from "../../core/study/dates.js";
import { log, readDamaged, readEvents, trouble } from "../../core/study/log.js";
import { stateOf } from "../../core/study/state.js";
import { button, download, element, link } from "./dom.js";

/** @typedef {import("../../core/study/catalog.js").Catalog} Catalog */
/** @typedef {import("../../core/study/event.js").StudyEvent} StudyEvent */
/** @typedef {import("../../core/study/state.js").StudyState} StudyState */
/** @typedef {{catalog: Catalog, events: StudyEvent[], state: StudyState, now: import("../../core/study/dates.js").Moment, today: string}} View */

const CHECK_DATE_MS = 30_000;
const TROUBLES = {
  blocked:
    "This browser does not let the site store anything. You can study now, but what you answer is forgotten when you close or reload this page.",
  full: "This device has no room left for what you answer. You can study now, but it is forgotten when you close or reload this page. Free some room, or export your progress before you go.",
};

export class StudyPage extends HTMLElement {
  /** @type {AbortController | undefined} */
  #connection;
  /** @type {View | undefined} */
  #view;
  #notice = element("div", { className: "study-notice", hidden: true });
  body = element("div", { className: "study-body" });
  said = element("p", { className: "visually-hidden", role: "status" });

  connectedCallback() {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    this.replaceChildren(this.#notice, this.body, this.said);
    log.addEventListener("change", () => this.refresh(), { signal });
    log.addEventListener("problem", () => this.#tell(), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && this.refresh(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.refresh(), { signal });
    const midnight = setInterval(() => this.#view && momentHere(Date.now()).day !== this.#view.today && this.refresh(), CHECK_DATE_MS);
    signal.addEventListener("abort", () => clearInterval(midnight));
    this.refresh();
  }

  disconnectedCallback() {
    this.#connection?.abort();
    this.leave();
  }

  /** The page is left for another one. */
  leave() {}

  /** @returns {View} there from the first `draw` on */
  get view() {
    return /** @type {View} */ (this.#view);
  }

  get isDrawn() {
    return this.#view !== undefined;
  }

  /** Reads everything again, then draws. */
  async refresh() {
    try {
      const [catalog, events] = await Promise.all([readCatalog(), readEvents(), this.prepare()]);
      const now = momentHere(Date.now());
      this.#view = { catalog, events, state: stateOf(events, now), now, today: now.day };
    } catch (problem) {
      if (this.#view) throw problem;
      this.#sayUnreachable();
      return;
    }
    if (!this.isConnected) return;
    this.#tell();
    this.draw();
  }

  /** For the page to read what it shows beside the events. */
  async prepare() {}

  /** For the page to say what it shows of `view`. */
  draw() {}

  #sayUnreachable() {
    this.body.replaceChildren(
      element("p", { textContent: "The list of what can be studied is not on this device, and cannot be fetched now." }),
      button("Try again", () => this.refresh(), "button primary"),
      element("p", {}, "With a connection, ", link("#offline", "keep the site offline"), ": then studying works anywhere."),
    );
  }

  async #tell() {
    const parts = [];
    if (trouble.reason) parts.push(element("p", { textContent: TROUBLES[trouble.reason] }));
    const damaged = await readDamaged();
    if (damaged.length) {
      parts.push(
        element("p", { textContent: "A part of what was stored here could not be read. It was set aside; everything else counts." }),
        button("Download that part", () => download("gpubites-damaged.json", JSON.stringify(damaged, null, 1), "application/json")),
      );
    }
    // The same words again would be read out again.
    if (this.#notice.textContent !== parts.map((part) => part.textContent).join("")) this.#notice.replaceChildren(...parts);
    this.#notice.hidden = parts.length === 0;
    this.#notice.setAttribute("role", "status");
  }
}

/** @param {string} name `""` is today's */
export const studyUrl = (name = "") => siteUrl(name ? `study/${name}/` : "study/");
