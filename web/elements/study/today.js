// <study-today>: five bites for this day and this reader, one after the other.
import { siteUrl } from "../../core/site.js";
import { askToKeep, record } from "../../core/study/log.js";
import { dueOf } from "../../core/study/schedule.js";
import { settled } from "../../core/study/settle.js";
import { stateOf } from "../../core/study/state.js";
import { FIVE, picksFor, withDone } from "../../core/study/today.js";
import { button, choice, counted, dateWords, dayWords, element, link } from "./dom.js";
import { StudyPage, studyUrl } from "./page.js";
import { askedQuestion } from "./question.js";
import { LEVELS, ROLES } from "./roles.js";

/** @typedef {import("../../core/study/today.js").Pick} Pick */
/** @typedef {{pick: Pick, done: boolean}} Item */

const WHY = { due: "Due again", new: "New", other: "New, from another field", again: "Least sure" };
class StudyToday extends StudyPage {
  /** The question in sight, and the day it was picked for. */
  #shown = "";
  /** Bites that could not be shown now. @type {Set<string>} */
  #skipped = new Set();
  #head = element("div", { className: "study-head" });
  #list = element("ol", { className: "study-five" });
  #stage = element("div", { className: "study-stage" });
  #settings = element("div");

  draw() {
    if (!this.#head.isConnected) {
      this.body.replaceChildren(this.#head, this.#list, this.#stage, this.#settings);
      this.#drawSettings();
    }
    const items = this.#items();
    this.#drawHead(items);
    this.#drawList(items);
    // What was just answered stays until the reader goes on, and what is being answered until it is, also past midnight.
    if (!this.#isBusy) this.#drawStage(items);
  }

  get #isBusy() {
    const card = this.#stage.querySelector("quiz-card");
    const fields = /** @type {HTMLInputElement[]} */ ([...(card?.querySelectorAll("input") ?? [])]);
    return (
      card?.hasAttribute("data-checked") ||
      card?.hasAttribute("data-moved") ||
      fields.some((field) => (field.type === "text" ? field.value : field.checked))
    );
  }

  /** @returns {Item[]} */
  #items() {
    const { events, state, now, today, catalog } = this.view;
    const before = settled(events, now.at).filter(
      (event) => event.kind === "set" || event.kind === "undo" || event.kind === "grade" || event.day < today,
    );
    const morning = { ...stateOf(before, now), settings: state.settings };
    const picks = picksFor(catalog.bites, morning, today);
    // Answered in its own page counts as well.
    const isPicked = (/** @type {string} */ question) => picks.some((pick) => pick.question === question);
    const done = state.answers.filter(({ day, where, question }) => day === today && (where === "today" || isPicked(question)));
    return withDone(picks, done, catalog.bites);
  }

  /** @param {Item[]} items */
  #drawHead(items) {
    const { state, today } = this.view;
    const done = items.filter((item) => item.done).length;
    const { length, today: studied, graced } = state.streak;
    const streak = length
      ? `${counted(length, "day")} in a row${studied ? "" : ", and today is still open"}`
      : state.answers.length
        ? "A new row of days starts with today's first answer"
        : "Your first day starts with the first answer";
    const grace = graced.length ? `, one missed day forgiven after ${dayWords(graced[graced.length - 1], today)}` : "";
    const bar = element("progress", { max: items.length, value: done, ariaLabel: "Done today" });
    this.#head.replaceChildren(
      element(
        "p",
        { className: "study-count" },
        element("strong", { textContent: `${done} of ${items.length}` }),
        ` for ${dateWords(today)}`,
      ),
      bar,
      element("p", { className: "study-streak", textContent: `${streak}${grace}.` }),
    );
  }

  /** @param {Item[]} items */
  #drawList(items) {
    const marks = items.map(({ pick, done }) => {
      const mark = element("span", { className: "study-mark", textContent: done ? "✓" : "" });
      mark.setAttribute("aria-hidden", "true");
      const words = element(
        "span",
        {},
        pick.bite.title,
        element("span", { className: "visually-hidden", textContent: done ? ": done" : ": to do" }),
      );
      const row = element("li", { className: done ? "is-done" : "" }, mark, words);
      if (pick.question === this.#shown) row.setAttribute("aria-current", "step");
      return row;
    });
    this.#list.replaceChildren(...marks);
  }

  /** @param {Item[]} items */
  #drawStage(items) {
    const next = items.find(({ pick, done }) => !done && !this.#skipped.has(pick.bite.slug));
    if (!next) {
      this.#shown = "";
      this.#drawList(items);
      this.#finish(items);
    } else if (next.pick.question !== this.#shown) this.#show(next.pick, items);
  }

  /** @param {Pick} pick @param {Item[]} items */
  async #show(pick, items) {
    const isFirst = this.#shown === "";
    this.#shown = pick.question;
    this.#drawList(items);
    const { catalog } = this.view;
    const article = await askedQuestion(this, {
      bite: pick.bite,
      question: pick.question,
      where: "today",
      label: `${WHY[pick.why]} · ${catalog.sections[pick.bite.section] ?? pick.bite.section}`,
      explain: pick.why === "new" || pick.why === "other",
      nextWords: () => (this.#isLast(pick) ? "Finish" : "Next"),
      onNext: () => this.#next(pick),
    });
    if (this.#shown !== pick.question) return;
    this.#stage.replaceChildren(article);
    if (!isFirst) this.#arrive();
  }

  /** @param {Pick} pick */
  #isLast(pick) {
    return this.#items().every((item) => item.done || item.pick.question === pick.question);
  }

  /** @param {Pick} pick */
  #next(pick) {
    if (!this.#items().some((item) => item.done && item.pick.bite === pick.bite)) this.#skipped.add(pick.bite.slug);
    this.#stage.replaceChildren();
    this.draw();
    this.#arrive();
  }

  #arrive() {
    const heading = /** @type {HTMLElement | null} */ (this.#stage.querySelector("h2"));
    heading?.focus({ preventScroll: true });
    this.#stage.scrollIntoView({ block: "start" });
  }

  /** @param {Item[]} items */
  #finish(items) {
    const { state, today, catalog } = this.view;
    const done = items.filter((item) => item.done);
    const first = (/** @type {string} */ asked) => state.answers.find(({ day, question }) => day === today && question === asked);
    const missed = done.filter(({ pick }) => first(pick.question)?.right === false);
    const known = new Set(catalog.bites.flatMap(({ questions }) => questions.map(({ id }) => id)));
    const due = [...state.cards].filter(([key, card]) => known.has(key) && dueOf(card, state.settings.retention) <= today).length;
    const all = done.length >= FIVE || done.length === items.length;
    const heading = element("h2", { tabIndex: -1, textContent: all ? "That is today's five" : "Not everything could be shown" });
    const words = all
      ? missed.length
        ? `${done.length - missed.length} of ${done.length} right. What you missed comes back tomorrow:`
        : `All ${done.length} right. They come back when you are about to forget them.`
      : `${done.length} of ${items.length} done. The others need a connection, or the site kept offline; or the site has changed, and this page wants to be loaded again.`;
    const parts = /** @type {HTMLElement[]} */ ([heading, element("p", { textContent: words })]);
    if (missed.length)
      parts.push(element("ul", {}, ...missed.map(({ pick }) => element("li", {}, link(siteUrl(pick.bite.url), pick.bite.title)))));
    const ways = [];
    if (due)
      ways.push(link(studyUrl("review"), `Review ${counted(due, "more question")} that ${due === 1 ? "is" : "are"} due`, "button primary"));
    ways.push(link(studyUrl("interview"), "Answer one aloud", "button"), link(studyUrl("progress"), "See your progress", "button"));
    if (!all) ways.unshift(button("Try again", () => this.#retry(), "button primary"));
    this.#stage.replaceChildren(
      element("article", { className: "study-item study-done" }, ...parts, element("div", { className: "study-next" }, ...ways)),
    );
    if (all && items.length) askToKeep();
  }

  #retry() {
    this.#skipped.clear();
    this.draw();
  }

  #drawSettings() {
    const { role, level } = this.view.state.settings;
    const set = (/** @type {string} */ name) => (/** @type {string} */ value) => record({ kind: "set", name, value });
    this.#settings.replaceChildren(
      element(
        "details",
        { className: "study-settings" },
        element("summary", { textContent: "What is picked for you" }),
        element("p", {
          textContent: "What is due comes first, then new bites that build on what you have met, and one from another field.",
        }),
        element(
          "div",
          { className: "study-choices" },
          choice("Role", ROLES, role, set("role")),
          choice("Level", LEVELS, level, set("level")),
        ),
      ),
    );
  }
}

customElements.define("study-today", StudyToday);
