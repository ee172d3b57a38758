// <study-review>: what is due, what was missed, or any topic's questions, one after the other.
import { siteUrl } from "../../core/site.js";
import { record } from "../../core/study/log.js";
import { MODES, queueFor } from "../../core/study/queue.js";
import { RETENTIONS } from "../../core/study/schedule.js";
import { button, choice, counted, dayWords, element, link } from "./dom.js";
import { StudyPage, studyUrl } from "./page.js";
import { askedQuestion } from "./question.js";

/** @typedef {import("../../core/study/queue.js").Due} Due */

class StudyReview extends StudyPage {
  #mode = "due";
  #section = "";
  #shown = "";
  /** Answered or skipped since the mode was chosen. @type {Set<string>} */
  #gone = new Set();
  /** The reader has gone on, and is waiting for what comes. */
  #isMoving = false;
  #head = element("div", { className: "study-head" });
  #stage = element("div", { className: "study-stage" });
  #settings = element("div");

  connectedCallback() {
    const asked = new URLSearchParams(location.search);
    this.#mode = Object.hasOwn(MODES, asked.get("show") ?? "") ? String(asked.get("show")) : "due";
    this.#section = asked.get("section") ?? "";
    super.connectedCallback();
  }

  draw() {
    if (!this.#head.isConnected) {
      this.body.replaceChildren(this.#head, this.#stage, this.#settings);
      this.#drawSettings();
    }
    const queue = this.#queue();
    this.#drawHead(queue);
    const card = this.#stage.querySelector("quiz-card");
    const fields = /** @type {HTMLInputElement[]} */ ([...(card?.querySelectorAll("input") ?? [])]);
    const isBusy =
      card?.hasAttribute("data-checked") ||
      card?.hasAttribute("data-moved") ||
      fields.some((field) => (field.type === "text" ? field.value : field.checked));
    if (!isBusy) this.#drawStage(queue);
  }

  /** @returns {Due[]} */
  #queue() {
    const { catalog, state, today } = this.view;
    const section = Object.hasOwn(catalog.sections, this.#section) ? this.#section : "";
    return queueFor(catalog.bites, state, today, this.#mode, section).filter(({ key }) => !this.#gone.has(key));
  }

  /** @param {Due[]} queue */
  #drawHead(queue) {
    const { catalog } = this.view;
    const sections = /** @type {[string, string][]} */ ([["", "Every topic"], ...Object.entries(catalog.sections)]);
    const modes = /** @type {[string, string][]} */ (Object.entries(MODES));
    const first = this.#head.childElementCount === 0;
    const words = `${counted(queue.length, "question")} ${this.#mode === "due" ? "due" : "to go"}`;
    if (first) {
      const change = (/** @type {"mode" | "section"} */ what) => (/** @type {string} */ value) => this.#choose(what, value);
      this.#head.append(
        element(
          "div",
          { className: "study-choices" },
          choice("Show", modes, this.#mode, change("mode")),
          choice("Topic", sections, this.#section, change("section")),
        ),
        element("p", { className: "study-count", role: "status" }),
      );
    }
    const count = this.#head.querySelector(".study-count");
    if (count && count.textContent !== words) count.textContent = words;
  }

  /** @param {"mode" | "section"} what @param {string} value */
  #choose(what, value) {
    if (what === "mode") this.#mode = value;
    else this.#section = value;
    const address = new URL(location.href);
    address.search = new URLSearchParams([
      ...(this.#mode === "due" ? [] : [["show", this.#mode]]),
      ...(this.#section ? [["section", this.#section]] : []),
    ]).toString();
    history.replaceState(history.state, "", address);
    this.#gone.clear();
    this.#shown = "";
    this.#stage.replaceChildren();
    this.draw();
  }

  /** @param {Due[]} queue */
  #drawStage(queue) {
    const [next] = queue;
    if (!next) return this.#sayNothingLeft();
    if (next.key === this.#shown) return;
    this.#shown = next.key;
    if (next.question) this.#ask(next);
    else this.#askAloud(next);
  }

  /** @param {Due} due */
  async #ask(due) {
    const { catalog, today } = this.view;
    const since = due.card ? `Last answered ${dayWords(due.card.last, today)}` : "New";
    const leech = due.isLeech ? ` · missed ${due.card?.lapses} times: read what it builds on` : "";
    const article = await askedQuestion(this, {
      bite: due.bite,
      question: due.question,
      where: "review",
      label: `${catalog.sections[due.bite.section] ?? due.bite.section} · ${since}${leech}`,
      explain: false,
      onNext: () => this.#next(due),
      nextWords: () => "Next",
    });
    if (this.#shown === due.key) this.#fill(article);
  }

  /** What was answered aloud is answered aloud again. @param {Due} due */
  #askAloud(due) {
    const { catalog, today } = this.view;
    const weak = due.weak.map((text) => element("li", { textContent: text }));
    this.#fill(
      element(
        "article",
        { className: "study-item" },
        element("p", {
          className: "study-why",
          textContent: `${catalog.sections[due.bite.section] ?? due.bite.section} · said aloud ${due.card ? dayWords(due.card.last, today) : ""}`,
        }),
        element("h2", { tabIndex: -1 }, link(siteUrl(due.bite.url), due.bite.title)),
        element("p", { className: "asked", textContent: due.bite.question }),
        ...(weak.length ? [element("p", { textContent: "What was missing last time:" }), element("ul", {}, ...weak)] : []),
        element(
          "div",
          { className: "study-next" },
          link(`${studyUrl("interview")}?bite=${due.bite.slug}`, "Answer it aloud", "button primary"),
          button("Not now", () => this.#next(due)),
        ),
      ),
    );
  }

  /** @param {Due} due */
  #next(due) {
    this.#gone.add(due.key);
    this.#isMoving = true;
    this.#stage.replaceChildren();
    this.draw();
  }

  /** @param {HTMLElement} article */
  #fill(article) {
    this.#stage.replaceChildren(article);
    if (!this.#isMoving) return;
    this.#isMoving = false;
    /** @type {HTMLElement | null} */ (article.querySelector("h2"))?.focus({ preventScroll: true });
    this.#stage.scrollIntoView({ block: "start" });
  }

  #sayNothingLeft() {
    this.#shown = "";
    const words = {
      due: "Nothing is due. What you answered comes back when you are about to forget it.",
      missed: "Nothing is missed: every question you met was right the last time.",
      all: "That was every question of this topic.",
    }[this.#mode];
    this.#fill(
      element(
        "article",
        { className: "study-item" },
        element("h2", { tabIndex: -1, textContent: "Nothing left" }),
        element("p", { textContent: words ?? "" }),
        element(
          "div",
          { className: "study-next" },
          link(studyUrl(), "Today's five", "button primary"),
          link(studyUrl("progress"), "See your progress", "button"),
        ),
      ),
    );
  }

  #drawSettings() {
    const { retention } = this.view.state.settings;
    const options = /** @type {[string, string][]} */ (RETENTIONS.map((value) => [String(value), `${Math.round(value * 100)} %`]));
    this.#settings.append(
      element(
        "details",
        { className: "study-settings" },
        element("summary", { textContent: "How soon things come back" }),
        element("p", {
          textContent:
            "A question is due on the day on which the model expects you to know it with this chance. A higher one means more reviews.",
        }),
        element(
          "div",
          { className: "study-choices" },
          choice("Chance of knowing", options, String(retention), (value) =>
            record({ kind: "set", name: "retention", value: Number(value) }),
          ),
        ),
      ),
    );
  }
}

customElements.define("study-review", StudyReview);
