// <story-worksheet>: a box for the reader's own words after each step of a story's frame, kept on their device, and a bar below them.
import { button, make } from "../core/dom.js";
import { leave, listen, readAll, unstored, write } from "../core/store.js";
import {
  againstTarget,
  asMarkdown,
  inWords,
  meeting,
  spokenSeconds,
  stamp,
  stepKeys,
  TARGET_SECONDS,
  weightOf,
} from "../core/worksheet.js";

/** @typedef {import("../core/worksheet.js").TextRecord} TextRecord */
/** @typedef {{bite: string, point: string, ticked: boolean, updated: number}} TickRecord */
/** @typedef {{point: string, weight: number, box: HTMLInputElement, updated: number}} Tick */

const SAVED_AFTER_MS = 400;

const problems = {
  blocked:
    "This browser does not let the site store anything. What you write lasts until you close or reload this page: export it before you go.",
  full: "This device has no room left for what you write here. It lasts until you close or reload this page: export it before you go.",
};

class StoryWorksheet extends HTMLElement {
  /** @type {StepBox[] | undefined} */
  #boxes;
  /** @type {Tick[]} */
  #ticks = [];
  /** @type {AbortController | undefined} */
  #connection;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #total = make("p", { className: "worksheet-total" });
  #progress = make("progress", { max: TARGET_SECONDS, ariaLabel: "Spoken time, of five minutes" });
  #score = make("span", { className: "worksheet-score" });
  #said = make("span", { className: "worksheet-said", role: "status" });
  #choices = make("div", { className: "worksheet-choices" });
  #problem = make("p", { role: "status" });
  #notice = make("div", { className: "worksheet-notice", hidden: true });

  connectedCallback() {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    if (!this.#boxes) this.#draw();
    listen((written) => {
      const of = (/** @type {string} */ wanted) => written.filter(({ table }) => table === wanted).map(({ record }) => record);
      this.#meet(of("worksheet"));
      this.#meetTicks(of("ticks"));
    }, signal);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#save() : this.#refresh()), { signal });
    addEventListener("pagehide", () => this.#leave(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#refresh(), { signal });
    this.#refresh();
  }

  disconnectedCallback() {
    this.#connection?.abort();
    this.#save();
  }

  get #slug() {
    return this.dataset.slug ?? "";
  }

  get #all() {
    return this.#boxes ?? [];
  }

  #draw() {
    const headings = [...this.querySelectorAll("h3")];
    const names = headings.map((heading) => heading.textContent.trim());
    const keys = stepKeys(names);
    this.#boxes = headings.map((_, index) => this.#box(keys[index], names[index]));
    for (const [index, box] of this.#boxes.entries()) {
      const next = headings[index + 1];
      if (next) next.before(box.element);
      else this.append(box.element);
    }
    this.#notice.append(
      this.#problem,
      button("Export now", () => this.#export()),
    );
    this.prepend(this.#notice);
    this.append(this.#bar());
    this.#count();
  }

  /** @param {string} step @param {string} name */
  #box(step, name) {
    const box = new StepBox(step, name);
    box.area.addEventListener("input", () => {
      box.type();
      this.#count();
      this.#saveSoon();
    });
    box.onDecided = () => {
      this.#count();
      this.#save();
    };
    return box;
  }

  #bar() {
    const bar = make("section", { className: "worksheet-bar", ariaLabel: "Your worksheet" });
    const buttons = make("div", { className: "worksheet-buttons" });
    this.#offer();
    buttons.append(
      button("Export as Markdown", () => this.#export()),
      this.#choices,
      this.#said,
    );
    const kept = make("p", { className: "worksheet-kept", textContent: "What you write stays in this browser, on this device." });
    bar.append(this.#total, this.#progress, ...this.#rubric(), buttons, kept);
    return bar;
  }

  /** The points of "What it tests", to be ticked. */
  #rubric() {
    const listed = [...(this.closest("article")?.querySelectorAll("#what-it-tests .rubric li") ?? [])];
    if (!listed.length) return [];
    const fold = make("details", { className: "worksheet-rubric" });
    const summary = make("summary", { textContent: "Tick what your answer shows: " });
    const points = make("div", { role: "group", ariaLabel: "What it tests" });
    summary.append(this.#score);
    fold.append(summary, points);
    this.#ticks = listed.map((item) => {
      const [weight, text] = [...item.children].map((part) => part.textContent.trim().replace(/\s+/g, " "));
      const box = make("input", { type: "checkbox" });
      const tick = { point: text, weight: Number(weight), box, updated: 0 };
      box.addEventListener("change", () => {
        this.#count();
        this.#keep("ticks", [this.#tickRecord(tick)]);
      });
      const label = make("label", { className: "choice" });
      const worth = make("span", { className: "weight", textContent: weight });
      worth.append(make("span", { className: "visually-hidden", textContent: weight === "1" ? " point: " : " points: " }));
      label.append(box, worth, make("span", { textContent: text }));
      points.append(label);
      return tick;
    });
    return [fold];
  }

  /** Brings in what is stored, and what waits for it. */
  async #refresh() {
    this.#meet(unstored("worksheet", this.#slug));
    this.#meetTicks(unstored("ticks", this.#slug));
    try {
      const [texts, ticks] = await Promise.all([readAll("worksheet", this.#slug), readAll("ticks", this.#slug)]);
      this.#meet(texts);
      this.#meetTicks(ticks);
      await write("worksheet", []); // tries again with what waits
    } catch (problem) {
      this.#tell(problem);
    }
  }

  /** @param {TextRecord[]} records */
  #meet(records) {
    for (const record of records) {
      if (record.bite !== this.#slug) continue;
      const box = this.#all.find(({ step }) => step === record.step) ?? this.#formerStep(record);
      box?.meet(record);
    }
    this.#count();
  }

  /** A step that an earlier edition of the page had: its text is not lost with it. @param {TextRecord} record */
  #formerStep(record) {
    if (!record.text) return null;
    const box = this.#box(record.step, record.name);
    box.label.append(" (a step of an earlier edition)");
    this.#all.at(-1)?.element.after(box.element);
    this.#all.push(box);
    return box;
  }

  /** @param {TickRecord[]} records */
  #meetTicks(records) {
    for (const record of records) {
      const tick = record.bite === this.#slug && this.#ticks.find(({ point }) => point === record.point);
      if (!tick || record.updated <= tick.updated) continue;
      tick.updated = record.updated;
      tick.box.checked = record.ticked;
    }
    this.#count();
  }

  #count() {
    for (const box of this.#all) box.count();
    const seconds = this.#all.reduce((sum, box) => sum + spokenSeconds(box.text), 0);
    this.#total.textContent = againstTarget(seconds);
    this.#progress.value = Math.min(seconds, TARGET_SECONDS);
    this.toggleAttribute("data-long", seconds > TARGET_SECONDS + 15);
    const ticked = weightOf(this.#ticks.filter(({ box }) => box.checked));
    this.#score.textContent = `${ticked} of ${weightOf(this.#ticks)} points`;
  }

  #saveSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), SAVED_AFTER_MS);
  }

  #save() {
    clearTimeout(this.#timer);
    const records = this.#all.filter((box) => box.unsaved).map((box) => ({ bite: this.#slug, ...box.record(Date.now()) }));
    if (records.length) this.#keep("worksheet", records);
  }

  #leave() {
    this.#save();
    leave();
  }

  /** @param {import("../core/store.js").Table} table @param {(TextRecord | TickRecord)[]} records */
  async #keep(table, records) {
    try {
      await write(table, records);
      this.#notice.hidden = true;
      this.#problem.textContent = "";
    } catch (problem) {
      this.#tell(problem);
    }
  }

  /** @param {Tick} tick @returns {TickRecord} */
  #tickRecord(tick) {
    tick.updated = stamp(Date.now(), tick.updated);
    return { bite: this.#slug, point: tick.point, ticked: tick.box.checked, updated: tick.updated };
  }

  /** Once, beside the box that is being written in. @param {unknown} problem */
  #tell(problem) {
    const reason = /** @type {{reason?: keyof typeof problems}} */ (problem).reason;
    if (!reason) throw problem;
    if (!this.#notice.hidden) return;
    this.#all.find(({ area }) => area === document.activeElement)?.element.after(this.#notice);
    this.#notice.hidden = false;
    this.#problem.textContent = problems[reason]; // after it is in the page, so that it is read out
  }

  #export() {
    const article = this.closest("article");
    const now = new Date();
    const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
    const text = asMarkdown({
      title: article?.querySelector("h1")?.textContent ?? this.#slug,
      address: location.href.split("#")[0],
      date,
      steps: this.#all.map(({ step, name, text }) => ({ step, name, text })),
      points: this.#ticks.map(({ weight, point, box }) => ({ weight, text: point, ticked: box.checked })),
    });
    const href = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
    make("a", { href, download: `${this.#slug}-${date}.md` }).click();
    // Some browsers fetch the address only when the reader has said where to put the file.
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  /** The usual choice: clear. */
  #offer() {
    const clear = button("Clear", () => this.#ask());
    this.#choices.replaceChildren(clear);
    return clear;
  }

  #ask() {
    if (!this.#all.some(({ text }) => text) && !this.#ticks.some(({ box }) => box.checked)) {
      this.#said.textContent = "There is nothing to clear.";
      return;
    }
    this.#said.textContent = "Every box and tick of this page?";
    const yes = button("Clear all", () => this.#clear());
    const no = button("Keep", () => {
      this.#said.textContent = "";
      this.#offer().focus();
    });
    this.#choices.replaceChildren(yes, no);
    yes.focus();
  }

  #clear() {
    const texts = this.#all.filter(({ text }) => text).map((box) => ({ box, text: box.text }));
    const ticked = this.#ticks.filter(({ box }) => box.checked);
    this.#change(
      texts.map(({ box }) => ({ box, text: "" })),
      ticked,
      false,
    );
    this.#said.textContent = "Cleared.";
    const undo = button("Undo", () => {
      // What was written since stays.
      this.#change(
        texts.filter(({ box }) => !box.text),
        ticked,
        true,
      );
      this.#said.textContent = "Everything is back.";
      this.#offer().focus();
    });
    this.#offer();
    this.#choices.prepend(undo);
    undo.focus();
  }

  /** @param {{box: StepBox, text: string}[]} texts @param {Tick[]} ticks @param {boolean} ticked */
  #change(texts, ticks, ticked) {
    for (const { box, text } of texts) box.write(text);
    for (const tick of ticks) tick.box.checked = ticked;
    this.#count();
    this.#save();
    if (ticks.length)
      this.#keep(
        "ticks",
        ticks.map((tick) => this.#tickRecord(tick)),
      );
  }
}

/** One step's box, with its time and, where two tabs disagree, the choice between them. */
class StepBox {
  updated = 0;
  typed = false;
  unsaved = false;
  onDecided = () => {};
  /** @type {TextRecord | null} */
  #other = null;
  /** The `updated` of the text that the reader decided about, until that is stored. */
  #chosenOver = 0;
  #time = make("span", { className: "worksheet-time" });
  #note = make("div", { className: "worksheet-other", hidden: true });
  #noteText = make("p", { role: "status" });

  /** @param {string} step @param {string} name */
  constructor(step, name) {
    this.step = step;
    this.name = name;
    const id = `worksheet-${step}`;
    this.area = make("textarea", { id, rows: 3, autocomplete: "off" });
    this.label = make("label", { htmlFor: id, textContent: name });
    this.#time.id = `${id}-time`;
    this.area.setAttribute("aria-describedby", this.#time.id);
    this.#note.append(
      this.#noteText,
      button("Show that text", () => this.#decide((record) => this.write(record.text))),
      button("Keep mine", () => this.#decide(() => this.type())),
    );
    this.element = make("div", { className: "worksheet-step" });
    this.element.append(this.label, this.#time, this.area, this.#note);
  }

  get text() {
    return this.area.value;
  }

  /** The reader typed. */
  type() {
    this.typed = this.unsaved = true;
  }

  /** As if the reader had typed it. @param {string} text */
  write(text) {
    this.area.value = text;
    this.type();
  }

  /** What is to be stored now. @param {number} now @returns {Omit<TextRecord, "bite">} */
  record(now) {
    const base = this.#chosenOver || this.updated;
    this.#chosenOver = 0;
    this.updated = stamp(now, this.updated);
    this.unsaved = false;
    return { step: this.step, name: this.name, text: this.text, updated: this.updated, base };
  }

  /** @param {TextRecord} record from the store or from another tab */
  meet(record) {
    const what = meeting(this, record);
    if (what === "nothing") return;
    if (what === "ask") {
      this.#other = record;
      this.#note.hidden = false;
      this.#noteText.textContent = "Another tab wrote something else for this step.";
      return;
    }
    this.updated = record.updated;
    if (what === "note") return;
    this.area.value = record.text;
    this.typed = false;
    this.#settle();
  }

  /** @param {(record: TextRecord) => void} how */
  #decide(how) {
    if (!this.#other) return;
    this.updated = Math.max(this.updated, this.#other.updated);
    // Ours may have been stored since, and the other tab ask too: its question is answered with this one.
    this.#chosenOver = this.#other.updated;
    how(this.#other);
    this.#settle();
    this.area.focus();
    this.onDecided();
  }

  #settle() {
    this.#other = null;
    this.#note.hidden = true;
    this.#noteText.textContent = "";
  }

  count() {
    this.#time.textContent = this.text ? `about ${inWords(spokenSeconds(this.text))} aloud` : "";
  }
}

customElements.define("story-worksheet", StoryWorksheet);
