// The code of a frame, to be changed: the page's own, the reader's draft, a link's; the editor, and the buttons for them. What runs it is the frame's affair.
import { codeIn, withoutCode } from "../core/code-link.js";
import { button, make } from "../core/dom.js";
import { isOf, keepDraft, leaveDrafts, readDraft } from "../core/drafts.js";
import { CodeLinkProblem, codeHash, readCode } from "../core/packed-code.js";
import { sayVersion } from "../core/program-version.js";

const KEPT_AFTER = 400; // ms without a key

const SAY = {
  opening: "Opening the editor…",
  editor: "The editor could not be loaded. Is there a connection? Edit tries again.",
};

/**
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {import("../core/drafts.js").Source} Source
 * @typedef {import("../core/drafts.js").Draft} Draft
 * @typedef {import("../core/program-version.js").Version} Version
 *
 * @typedef {object} Frame what the code stands in
 * @property {HTMLElement} element says its `data-name`, and where a draft is kept: `data-file`, `data-part`
 * @property {"python" | "glsl"} language
 * @property {string} result what a run shows: "output", "picture"
 * @property {() => Source} source the page's own
 * @property {(source: Source) => string} hint what the editor says of it
 * @property {(words: string) => void} say
 * @property {() => string} said
 * @property {() => boolean} running
 * @property {() => boolean} ran does the reader's own run stand there?
 * @property {() => void} putBack what the page came with, in place of a run
 * @property {() => void} show buttons, as the state wants them
 * @property {() => void} [typed]
 * @property {() => void} [unfold] code from a link is to be seen
 */

export class OwnCode {
  #frame;
  /** @type {Editor | undefined} */
  #editor;
  /** Where the last program failed; an editor that opens after it shows it too. @type {{line: number, message: string, text: string} | undefined} */
  #raised;
  /** Aborted by Reset and by another version: an editor that arrives later is not wanted. */
  #life = new AbortController();
  /** Aborted when the frame leaves the page. */
  #here = new AbortController();

  /** What is shown in place of the page's own code. @type {Version | undefined} */
  #shown;
  /** The reader's draft as it is kept, shown or not. @type {Draft | undefined} */
  #draft;
  /** Did the reader type since the draft was kept? */
  #typed = false;
  #keepSoon = 0;
  /** Did the browser store the last draft? */
  #stored = true;
  /** Is it known whether there is a draft? */
  #looked = false;
  #opening = false;
  /** What is wrong with a link's code. */
  #linkProblem = "";

  edit = button("Edit", () => this.#open());
  reset = button("Reset", () => this.startOver());
  copy = button("Copy link to this code", () => this.#copyLink());
  #words = make("p", { className: "runner-version-words" });
  #showDraft = button("Show my draft", () => this.#draft && this.#showVersion(asVersion(this.#draft, this.#frame.source())));
  #dropDraft = button("Discard my draft", () => this.#discard());
  /** Whose code this is. */
  version = make("div", { className: "runner-version" }, this.#words, this.#showDraft, this.#dropDraft);
  #plainCode = make("code");
  /** Code that is not the page's own, to be read. */
  plain = make("div", { className: "runner-plain" }, make("pre", { tabIndex: 0 }, this.#plainCode));
  /** Where it is changed. */
  host = make("div", { className: "runner-editor" });

  /** @param {Frame} frame */
  constructor(frame) {
    this.#frame = frame;
    this.#words.setAttribute("role", "status");
  }

  /** The frame is in the page, and what this shows is in the frame. */
  connect() {
    this.#here = new AbortController();
    const { signal } = this.#here;
    addEventListener("pagehide", () => this.#leavePage(), { signal });
    addEventListener("hashchange", () => this.#takeLink(), { signal });
    this.show();
    this.#takeLink();
    this.#findDraft();
  }

  /** Leaves what the page came with: the same frame may be shown again. */
  disconnect() {
    this.#here.abort();
    this.#keep();
    this.#putBack();
    this.#draft = undefined;
    this.#looked = false;
    for (const own of [this.version, this.plain, this.host]) own.remove();
  }

  /** What is shown, without the lines around it. */
  get text() {
    return this.#editor?.text() ?? this.#shown?.text ?? this.source.part;
  }

  /** What is shown was written over this, and runs with the lines around it. */
  get source() {
    return this.#shown?.over ?? this.#frame.source();
  }

  /** Is it the reader's, or about to be? */
  get isOpen() {
    return Boolean(this.#editor || this.#shown);
  }

  /** Marks where a program failed, also in an editor that opens later. @param {number} line @param {string} message @param {string} text of that line */
  mark(line, message, text) {
    this.#raised = { line, message, text };
    this.#editor?.markError(line, message, text);
  }

  unmark() {
    this.#raised = undefined;
    this.#editor?.clearErrors();
  }

  /** Reset: the page's own code. A draft that was shown is dropped; one that was not stays. */
  startOver() {
    this.#linkProblem = "";
    this.#leaveLink();
    if (this.#shown?.from === "draft") this.#keepAs(null);
    this.#putBack();
  }

  /** Buttons and panes as the state wants them. A button that goes takes the focus to the first that is left, not to nowhere. */
  show() {
    const { element } = this.#frame;
    const focused = element.contains(document.activeElement) && document.activeElement;
    this.edit.hidden = Boolean(this.#editor);
    this.edit.disabled = this.#opening;
    this.reset.hidden = !this.isOpen && !this.#frame.ran();
    this.copy.hidden = !this.isOpen;
    this.host.hidden = !this.#editor;
    this.plain.hidden = Boolean(this.#editor) || !this.#shown;
    const whose = this.#shown?.from === "link" ? "from a link" : "your draft";
    this.plain.firstElementChild?.setAttribute("aria-label", `${this.#name}, ${whose}`);
    const own = element.querySelector(".frame-source");
    if (own instanceof HTMLElement) own.hidden = this.isOpen;
    this.#showWords();
    this.#frame.show();
    if (!(focused instanceof HTMLButtonElement) || !focused.hidden) return;
    const left = this.edit.parentElement?.querySelector("button:not([hidden])");
    if (left instanceof HTMLButtonElement) left.focus();
  }

  // The editor

  async #open({ focus = true } = {}) {
    const { signal } = this.#life;
    this.#opening = true;
    this.show();
    this.#frame.say(SAY.opening);
    try {
      const { openEditor } = await import("./editor.js");
      if (signal.aborted) return;
      const { source } = this;
      const editor = await openEditor(this.host, {
        text: withoutEnd(this.text),
        language: this.#frame.language,
        label: `${this.#name}, editable`,
        firstLine: source.firstLine,
        hint: this.#frame.hint(source),
        onChange: () => this.#onChange(),
      });
      if (signal.aborted) return editor.destroy();
      this.#editor = editor;
      if (this.#raised) editor.markError(this.#raised.line, this.#raised.message, this.#raised.text);
      if (this.#frame.said() === SAY.opening) this.#frame.say("");
    } catch {
      if (!signal.aborted) this.#frame.say(SAY.editor);
    }
    if (signal.aborted) return;
    this.#opening = false;
    this.show();
    if (focus) this.#editor?.focus();
  }

  #onChange() {
    this.#typed = true;
    clearTimeout(this.#keepSoon);
    this.#keepSoon = window.setTimeout(() => this.#keep(), KEPT_AFTER);
    this.#frame.typed?.();
  }

  // Versions: the page's own code, the reader's draft, a link's

  async #findDraft() {
    const { file, part = "" } = this.#frame.element.dataset;
    if (!file) return;
    const { signal } = this.#here;
    const draft = await readDraft(file, part);
    if (signal.aborted) return;
    this.#looked = true;
    if (!draft) return this.#keep();
    this.#draft = draft;
    const untouched = !this.isOpen && !this.#opening && !this.#frame.running() && !this.#frame.ran();
    if (untouched && isOf(draft, this.#frame.source())) return this.#showVersion(asVersion(draft, this.#frame.source()));
    this.show();
  }

  /** Code that came with the address is shown. Only the reader can run it. */
  async #takeLink() {
    const link = codeIn(location.hash);
    if (!link || link.id !== this.#anchor) return;
    const { signal } = this.#here;
    try {
      const over = this.#frame.source();
      const { text, current } = await readCode(link, over);
      if (signal.aborted) return;
      this.#keep();
      this.#linkProblem = "";
      this.#showVersion({ from: "link", text, over, current });
      await this.#open({ focus: false });
    } catch (problem) {
      if (!(problem instanceof CodeLinkProblem)) throw problem;
      this.#linkProblem = problem.message;
      this.show();
    }
    if (!signal.aborted) this.#frame.unfold?.();
  }

  /** @param {Version} version */
  #showVersion(version) {
    this.#putBack();
    this.#shown = version;
    this.#plainCode.textContent = version.text;
    this.show();
  }

  #discard() {
    this.#keepAs(null);
    this.#typed = Boolean(this.#editor) && this.#editor?.text() !== withoutEnd(this.source.part);
    this.#keep();
    this.show();
  }

  /** What was typed becomes the draft, unless there is one that it was not written over. */
  #keep() {
    clearTimeout(this.#keepSoon);
    const text = this.#editor?.text();
    const inTheWay = this.#draft && this.#shown?.from !== "draft";
    if (!this.#looked || !this.#typed || text === undefined || inTheWay) return;
    this.#typed = false;
    this.#leaveLink();
    const over = this.source;
    const same = text === withoutEnd(over.part) && isOf({ over }, this.#frame.source());
    this.#keepAs(same ? null : text);
    this.#shown = this.#draft && asVersion(this.#draft, this.#frame.source());
    this.show();
  }

  /** @param {string | null} text null drops it */
  async #keepAs(text) {
    const { file, part = "" } = this.#frame.element.dataset;
    if (!file) return;
    const record = {
      file,
      part,
      text,
      over: text === null ? null : this.source,
      updated: Math.max(Date.now(), 1 + (this.#draft?.updated ?? 0)),
    };
    this.#draft = text === null ? undefined : record;
    this.#stored = await keepDraft(record);
    if (!this.#here.signal.aborted) this.show();
  }

  #leavePage() {
    this.#keep();
    leaveDrafts();
  }

  /** The address no longer says what is shown. */
  #leaveLink() {
    if (codeIn(location.hash)?.id === this.#anchor) history.replaceState(history.state, "", withoutCode(location.hash));
  }

  async #copyLink() {
    try {
      const url = new URL(location.href);
      url.hash = await codeHash(this.#anchor, withoutEnd(this.text), this.source);
      try {
        await navigator.clipboard.writeText(url.href);
        this.#frame.say("Copied: the link shows this code, and runs nothing by itself.");
      } catch {
        history.replaceState(history.state, "", url);
        this.#frame.say("The address of this page now holds this code.");
      }
    } catch (problem) {
      if (!(problem instanceof CodeLinkProblem)) throw problem;
      this.#frame.say(problem.message);
    }
  }

  /** What the page came with, code and result. */
  #putBack() {
    clearTimeout(this.#keepSoon);
    this.#typed = false;
    this.#life.abort();
    this.#life = new AbortController();
    this.#raised = undefined;
    this.#editor?.destroy();
    this.#editor = undefined;
    this.#shown = undefined;
    this.#opening = false;
    this.#frame.putBack();
    this.#frame.say("");
    this.show();
  }

  /** Says which version of the code this is, and what becomes of the draft. */
  #showWords() {
    const draft = this.#draft && { current: isOf(this.#draft, this.#frame.source()) };
    const { result } = this.#frame;
    const words = sayVersion({ shown: this.#shown, draft, stored: this.#stored, own: this.#frame.ran(), result });
    const said = [this.#linkProblem, words].filter(Boolean).join(" ");
    if (this.#words.textContent !== said) this.#words.textContent = said;
    this.version.toggleAttribute("data-quiet", !said);
    this.#showDraft.hidden = this.#dropDraft.hidden = !draft || this.#shown?.from === "draft";
  }

  get #name() {
    return this.#frame.element.dataset.name ?? "";
  }

  get #anchor() {
    return this.#frame.element.closest("figure")?.id ?? "";
  }
}

/** As an editor has it: the end of the last line is not a line. @param {string} text */
const withoutEnd = (text) => text.replace(/\n$/, "");

/** @param {Draft} draft @param {Source} source @returns {Version} */
const asVersion = (draft, source) => ({ from: "draft", text: draft.text ?? "", over: draft.over ?? source, current: isOf(draft, source) });
