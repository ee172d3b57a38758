// The reader's own data: out as a file, in from one with a preview and an undo, and erased when they say so twice.

import { StoreProblem } from "../../core/store.js";
import { askToKeep, forgetAll, readProgress, takeIn, takeOut } from "../../core/study/log.js";
import { asFile, changeBy, FileProblem, LARGEST_BYTES, readFile } from "../../core/study/transfer.js";
import { button, counted, download, element } from "./dom.js";

/** @typedef {import("../../core/study/transfer.js").Change} Change */

const NOT_STORED = {
  blocked: "Nothing was taken in: this browser does not let the site store anything.",
  full: "Nothing was taken in: this device has no room left for it.",
};

export class YourData {
  #today = "";
  #file = element("input", { type: "file", accept: ".json,application/json", hidden: true });
  #said = element("p", { className: "study-said", role: "status" });
  #choices = element("div", { className: "study-choices" });
  element = element(
    "section",
    { id: "yours" },
    element("h2", { textContent: "Your data" }),
    element("p", {
      textContent:
        "It is kept in this browser only: answers, settings, guesses in simulators, and what you wrote in worksheets. Export it to move to another browser, or to keep a copy. Importing adds what is missing and never overwrites anything newer. Drafts of code stay beside their programs, where Reset drops them; they are not in the file.",
    }),
    element(
      "div",
      { className: "study-ways" },
      button("Export", () => this.#export()),
      button("Import…", () => this.#file.click()),
      button("Erase progress…", () => this.#askToErase()),
    ),
    this.#said,
    this.#choices,
    this.#file,
  );

  constructor() {
    this.#file.setAttribute("aria-label", "File with your progress");
    this.#file.addEventListener("change", () => this.#choose());
  }

  /** @param {string} today */
  update(today) {
    this.#today = today;
  }

  async #export() {
    download(`gpubites-progress-${this.#today}.json`, asFile(await readProgress(), this.#today), "application/json");
    askToKeep();
    this.#say("Exported.");
  }

  async #choose() {
    const [file] = this.#file.files ?? [];
    this.#file.value = ""; // the same file can be chosen again
    if (!file) return;
    try {
      if (file.size > LARGEST_BYTES) throw new FileProblem("The file is larger than any progress can be.");
      this.#say("Reading the file…");
      const text = await file.text().catch(() => {
        throw new FileProblem("The file could not be read: choose it again.");
      });
      this.#preview(changeBy(await readProgress(), readFile(text)));
    } catch (problem) {
      if (!(problem instanceof FileProblem)) throw problem;
      this.#say(`${problem.message} Nothing was changed.`);
    }
  }

  /** @param {Change} change */
  #preview(change) {
    const { events, worksheet, ticks, guesses, known, replaced } = change;
    if (![events, worksheet, ticks, guesses].some((list) => list.length)) {
      this.#say("Everything in this file is here already. Nothing was changed.");
      return;
    }
    const days = events.map(({ day }) => day).sort();
    const [first, last] = [days[0], days[days.length - 1]];
    const over = replaced.worksheet.length;
    const parts = [
      events.length && `${counted(events.length, "entry", "entries")} ${first === last ? `of ${first}` : `from ${first} to ${last}`}`,
      worksheet.length && `${counted(worksheet.length, "worksheet text")}${over ? `, ${over} of them newer than what is here` : ""}`,
      ticks.length && `${counted(ticks.length, "tick")} in worksheets`,
      guesses.length && counted(guesses.length, "guess", "guesses"),
    ].filter(Boolean);
    const take = button("Take it in", () => this.#takeIn(change), "button primary");
    this.#say(
      `This file adds ${parts.join("; ")}. ${known ? `${counted(known, "entry is", "entries are")} here already.` : ""}`,
      take,
      button("Leave it", () => this.#say("Nothing was changed.")),
    );
    take.focus();
  }

  /** @param {Change} change */
  async #takeIn(change) {
    this.#say("Taking it in…");
    try {
      await takeIn(change);
      askToKeep();
      const undo = button("Undo", () => this.#takeOut(change));
      this.#say("Taken in.", undo);
      undo.focus();
    } catch (problem) {
      if (!(problem instanceof StoreProblem)) throw problem;
      this.#say(NOT_STORED[/** @type {"blocked" | "full"} */ (problem.reason)]);
    }
  }

  /** @param {Change} change */
  async #takeOut(change) {
    try {
      await takeOut(change);
      this.#say("It is as it was before. What you did since stays.");
    } catch (problem) {
      if (!(problem instanceof StoreProblem)) throw problem;
      this.#say("Nothing was taken out: this browser does not let the site at what it stored.");
    }
  }

  #askToErase() {
    const keep = button("Keep it", () => this.#say("Nothing was changed."));
    this.#say(
      "Erase every answer, guess, setting and interview on this device? This cannot be undone. Export first, to be able to come back. What you wrote in worksheets stays.",
      button("Export first", () => this.#export().then(() => this.#askToErase())),
      button("Erase all progress", () => this.#erase()),
      keep,
    );
    keep.focus();
  }

  async #erase() {
    try {
      await forgetAll();
      this.#say("Erased.");
    } catch (problem) {
      if (!(problem instanceof StoreProblem)) throw problem;
      this.#say("Nothing could be erased: this browser does not let the site at what it stored.");
    }
  }

  /** @param {string} words @param {HTMLElement[]} choices */
  #say(words, ...choices) {
    this.#said.textContent = words;
    this.#choices.replaceChildren(...choices);
  }
}
