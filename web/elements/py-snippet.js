// <py-snippet>: a Python file that can be run, changed and put back. What it runs with is loaded by Run, the editor by Edit.
import { codeIn, withoutCode } from "../core/code-link.js";
import { button, make } from "../core/dom.js";
import { isOf, keepDraft, leaveDrafts, readDraft } from "../core/drafts.js";
import { megabytes, portion } from "../core/megabytes.js";
import { CodeLinkProblem, codeHash, readCode } from "../core/packed-code.js";
import { PictureReader } from "../core/pictures.js";
import { sayVersion } from "../core/program-version.js";
import { KEEP_PYTHON, LIMITS, OutputPages, wholeFile } from "../core/python-pack.js";
import { titledSvg } from "../core/safe-svg.js";

const KEPT_AFTER = 400; // ms without a key

const SAY = {
  waiting: "Waiting for the other program to end.",
  booting: "Starting Python…",
  installing: "Loading numpy…",
  running: "Running…",
  stopped: "Stopped.",
  "timed-out": `Stopped after ${LIMITS.seconds} seconds, the most a program may take in this page. Python on your own machine has no such limit.`,
  limit: `A page keeps ${LIMITS.lines.toLocaleString("en")} lines or ${LIMITS.characters.toLocaleString("en")} characters.`,
  runner: `Python's runner could not be loaded. Is there a connection? Run tries again. ${KEEP_PYTHON}`,
  opening: "Opening the editor…",
  editor: "The editor could not be loaded. Is there a connection? Edit tries again.",
};

/**
 * @typedef {import("../core/python-runner.js").Outcome} Outcome
 * @typedef {import("../core/python-runner.js").Progress} Progress
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {import("../core/drafts.js").Source} Source
 * @typedef {import("../core/drafts.js").Draft} Draft
 * @typedef {import("../core/program-version.js").Version} Version
 */

class PySnippet extends HTMLElement {
  /** What the last program printed. */
  #pages = new OutputPages();
  #pictures = new PictureReader();
  /** Aborts the program that runs or waits. @type {AbortController | undefined} */
  #running;
  /** @type {Editor | undefined} */
  #editor;
  /** What the page came with, while the reader's own output stands in its place. @type {{output: Node[], label: string, origin: string} | undefined} */
  #recording;
  /** Where the last program failed; an editor that opens after it shows it too. @type {{line: number, message: string, text: string} | undefined} */
  #raised;
  /** Aborted when the element leaves the page, by Reset, and by another version: an editor that arrives later is not wanted. */
  #life = new AbortController();
  /** Aborted when the element leaves the page. */
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

  #run = button("Run", () => this.#runProgram());
  #stop = button("Stop", () => this.#running?.abort());
  #edit = button("Edit", () => this.#openEditor());
  #reset = button("Reset", () => this.#startOver());
  #copy = button("Copy link to this code", () => this.#copyLink());
  #status = make("span", { className: "frame-status" });
  #progress = document.createElement("progress");
  #count = make("span", { className: "runner-count" });
  #download = make("div", { className: "runner-download" });
  #host = make("div", { className: "runner-editor" });
  #words = make("p", { className: "runner-version-words" });
  #showDraft = button("Show my draft", () => this.#draft && this.#showVersion(asVersion(this.#draft, this.#pageSource)));
  #dropDraft = button("Discard my draft", () => this.#discard());
  #version = make("div", { className: "runner-version" }, this.#words, this.#showDraft, this.#dropDraft);
  #plainCode = make("code");
  #plain = make("div", { className: "runner-plain" }, make("pre", { tabIndex: 0 }, this.#plainCode));

  connectedCallback() {
    this.#here = new AbortController();
    const { signal } = this.#here;
    this.#run.classList.add("primary");
    this.#status.setAttribute("role", "status");
    this.#progress.setAttribute("aria-label", "Download");
    this.#download.replaceChildren(this.#progress, this.#count);
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#name);
    this.#controls.replaceChildren(this.#run, this.#stop, this.#edit, this.#reset, this.#copy, this.#status, this.#download);
    this.#controls.before(this.#plain, this.#host);
    this.prepend(this.#version);
    this.#words.setAttribute("role", "status");
    this.addEventListener("keydown", this.#onKey, { capture: true, signal });
    addEventListener("pagehide", () => this.#leave(), { signal });
    addEventListener("hashchange", () => this.#takeLink(), { signal });
    this.#show();
    this.#takeLink();
    this.#findDraft();
  }

  /** Leaves what the page came with: the same element may be shown again. */
  disconnectedCallback() {
    this.#here.abort();
    this.#keep();
    this.#putBack();
    this.#draft = undefined;
    this.#looked = false;
    this.#controls.replaceChildren();
    for (const own of [this.#version, this.#plain, this.#host]) own.remove();
  }

  // What the reader does

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#runProgram();
  };

  async #runProgram() {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    this.#raised = undefined;
    this.#editor?.clearErrors();
    this.#pages = new OutputPages();
    this.#pictures = new PictureReader();
    this.#show();
    const code = wholeFile(this.#source, this.#text);
    const outcome = await run({
      name: this.#name,
      code,
      signal: running.signal,
      onProgress: (progress) => this.#running === running && this.#showProgress(progress),
      onOutput: (stream, text) => this.#running === running && this.#hear(stream, text),
    });
    if (this.#running !== running) return; // Reset came first
    this.#running = undefined;
    this.#showOutcome(outcome, code);
    this.#show();
  }

  /** @param {{focus?: boolean}} [how] */
  async #openEditor({ focus = true } = {}) {
    const { signal } = this.#life;
    this.#opening = true;
    this.#show();
    this.#say(SAY.opening);
    try {
      const { openEditor } = await import("./editor.js");
      if (signal.aborted) return;
      const { before, after, firstLine } = this.#source;
      const hint = before || after ? "The lines around this part run too: see “Whole file”." : "";
      const text = withoutEnd(this.#text);
      const onChange = () => this.#onChange();
      const label = `${this.#name}, editable`;
      const editor = await openEditor(this.#host, { text, language: "python", label, firstLine, hint, onChange });
      if (signal.aborted) return editor.destroy();
      this.#editor = editor;
      if (this.#raised) editor.markError(this.#raised.line, this.#raised.message, this.#raised.text);
      if (this.#status.textContent === SAY.opening) this.#say("");
    } catch {
      if (!signal.aborted) this.#say(SAY.editor);
    }
    if (signal.aborted) return;
    this.#opening = false;
    this.#show();
    if (focus) this.#editor?.focus();
  }

  /** Reset: the page's own code. A draft that was shown is dropped; one that was not stays. */
  #startOver() {
    this.#linkProblem = "";
    this.#leaveLink();
    if (this.#shown?.from === "draft") this.#keepAs(null);
    this.#putBack();
  }

  // Versions: the page's own code, the reader's draft, a link's

  async #findDraft() {
    const { file, part = "" } = this.dataset;
    if (!file) return;
    const { signal } = this.#here;
    const draft = await readDraft(file, part);
    if (signal.aborted) return;
    this.#looked = true;
    if (!draft) return this.#keep();
    this.#draft = draft;
    const untouched = !this.#editor && !this.#opening && !this.#running && !this.#recording && !this.#shown;
    if (untouched && isOf(draft, this.#pageSource)) return this.#showVersion(asVersion(draft, this.#pageSource));
    this.#show();
  }

  /** Code that came with the address is shown. Only the reader can run it. */
  async #takeLink() {
    const link = codeIn(location.hash);
    if (!link || link.id !== this.closest("figure")?.id) return;
    const { signal } = this.#here;
    try {
      const over = this.#pageSource;
      const { text, current } = await readCode(link, over);
      if (signal.aborted) return;
      this.#keep();
      this.#linkProblem = "";
      this.#showVersion({ from: "link", text, over, current });
      await this.#openEditor({ focus: false });
    } catch (problem) {
      if (!(problem instanceof CodeLinkProblem)) throw problem;
      this.#linkProblem = problem.message;
      this.#show();
    }
  }

  /** @param {Version} version */
  #showVersion(version) {
    this.#putBack();
    this.#shown = version;
    this.#plainCode.textContent = version.text;
    this.#show();
  }

  #discard() {
    this.#keepAs(null);
    this.#typed = Boolean(this.#editor) && this.#editor?.text() !== withoutEnd(this.#source.part);
    this.#keep();
    this.#show();
  }

  #onChange() {
    this.#typed = true;
    clearTimeout(this.#keepSoon);
    this.#keepSoon = window.setTimeout(() => this.#keep(), KEPT_AFTER);
  }

  /** What was typed becomes the draft, unless there is one that it was not written over. */
  #keep() {
    clearTimeout(this.#keepSoon);
    const text = this.#editor?.text();
    const inTheWay = this.#draft && this.#shown?.from !== "draft";
    if (!this.#looked || !this.#typed || !this.dataset.file || text === undefined || inTheWay) return;
    this.#typed = false;
    this.#leaveLink();
    const over = this.#source;
    const same = text === withoutEnd(over.part) && isOf({ over }, this.#pageSource);
    this.#keepAs(same ? null : text);
    this.#shown = this.#draft && asVersion(this.#draft, this.#pageSource);
    this.#show();
  }

  /** @param {string | null} text null drops it */
  async #keepAs(text) {
    const { file, part = "" } = this.dataset;
    if (!file) return;
    const record = {
      file,
      part,
      text,
      over: text === null ? null : this.#source,
      updated: Math.max(Date.now(), 1 + (this.#draft?.updated ?? 0)),
    };
    this.#draft = text === null ? undefined : record;
    this.#stored = await keepDraft(record);
    if (!this.#here.signal.aborted) this.#show();
  }

  #leave() {
    this.#keep();
    leaveDrafts();
  }

  /** The address no longer says what is shown. */
  #leaveLink() {
    if (codeIn(location.hash)?.id === this.closest("figure")?.id) history.replaceState(history.state, "", withoutCode(location.hash));
  }

  async #copyLink() {
    try {
      const url = new URL(location.href);
      url.hash = await codeHash(this.closest("figure")?.id ?? "", withoutEnd(this.#text), this.#source);
      try {
        await navigator.clipboard.writeText(url.href);
        this.#say("Copied: the link shows this code, and runs nothing by itself.");
      } catch {
        history.replaceState(history.state, "", url);
        this.#say("The address of this page now holds this code.");
      }
    } catch (problem) {
      if (!(problem instanceof CodeLinkProblem)) throw problem;
      this.#say(problem.message);
    }
  }

  /** What the page came with, code and output. */
  #putBack() {
    clearTimeout(this.#keepSoon);
    this.#typed = false;
    this.#life.abort();
    this.#life = new AbortController();
    this.#running?.abort();
    this.#running = undefined;
    this.#raised = undefined;
    this.#editor?.destroy();
    this.#editor = undefined;
    this.#shown = undefined;
    this.#opening = false;
    if (this.#recording) {
      this.#output.replaceChildren(...this.#recording.output);
      this.#label(this.#recording.label, this.#recording.origin);
      this.#recording = undefined;
    }
    this.#say("");
    this.#show();
  }

  // What the reader sees

  /** Buttons and panes as the state wants them. A button that goes takes the focus to Run, not to nowhere. */
  #show() {
    const focused = this.contains(document.activeElement) && document.activeElement;
    this.#run.setAttribute("aria-disabled", String(Boolean(this.#running)));
    this.#stop.hidden = !this.#running;
    this.#edit.hidden = Boolean(this.#editor);
    this.#edit.disabled = this.#opening;
    this.#reset.hidden = !this.#editor && !this.#recording && !this.#shown;
    this.#copy.hidden = !this.#editor && !this.#shown;
    this.#host.hidden = !this.#editor;
    this.#plain.hidden = Boolean(this.#editor) || !this.#shown;
    this.#plain.firstElementChild?.setAttribute(
      "aria-label",
      `${this.#name}, ${this.#shown?.from === "link" ? "from a link" : "your draft"}`,
    );
    this.#download.hidden = true;
    const own = this.querySelector(".frame-source");
    if (own instanceof HTMLElement) own.hidden = Boolean(this.#editor || this.#shown);
    this.#showWords();
    if (focused instanceof HTMLButtonElement && focused.hidden) this.#run.focus();
  }

  /** Says which version of the code this is, and what becomes of the draft. */
  #showWords() {
    const draft = this.#draft && { current: isOf(this.#draft, this.#pageSource) };
    const words = sayVersion({ shown: this.#shown, draft, stored: this.#stored, own: Boolean(this.#recording) });
    const said = [this.#linkProblem, words].filter(Boolean).join(" ");
    if (this.#words.textContent !== said) this.#words.textContent = said;
    this.#version.toggleAttribute("data-quiet", !said);
    this.#showDraft.hidden = this.#dropDraft.hidden = !draft || this.#shown?.from === "draft";
  }

  /** @param {Progress} progress */
  #showProgress(progress) {
    this.#download.hidden = progress.stage !== "downloading";
    if (progress.stage !== "downloading") this.#say(SAY[progress.stage]);
    if (progress.stage === "running") this.#makeRoom(progress.version);
    if (progress.stage !== "downloading") return;
    this.#say(`Downloading ${progress.what} (${megabytes(progress.total)}, once).`);
    this.#progress.max = progress.total;
    this.#progress.value = progress.done;
    this.#count.textContent = portion(progress.done, progress.total);
  }

  /** The recording steps aside. @param {string} version */
  #makeRoom(version) {
    const label = this.#output.getAttribute("aria-label") ?? "";
    this.#recording ??= { output: [...this.#output.childNodes], label, origin: this.#origin?.textContent ?? "" };
    this.#output.replaceChildren();
    this.#label(`${this.#recording.label}, your run`, `your run · Python ${version} in this browser`);
    this.#show();
  }

  /** @param {string} label @param {string} origin */
  #label(label, origin) {
    this.#output.setAttribute("aria-label", label);
    if (this.#origin) this.#origin.textContent = origin;
  }

  /** Text, and pictures in it. @param {import("../core/python-pack.js").Stream} stream @param {string} text */
  #hear(stream, text) {
    if (stream === "err") return this.#print("err", this.#pages.take("err", text));
    this.#showPrinted(this.#pictures.take(text));
  }

  /** @param {import("../core/pictures.js").Printed[]} printed */
  #showPrinted(printed) {
    for (const piece of printed) {
      if ("text" in piece) this.#print("out", this.#pages.take("out", piece.text));
      else this.#draw(piece.picture);
    }
  }

  /** Built anew from shapes and texts: it comes from the sandbox. @param {string} picture */
  #draw(picture) {
    if (this.#pages.full || this.#output.querySelectorAll(".runner-picture").length >= LIMITS.pictures)
      return this.#print("out", this.#pages.take("out", picture));
    try {
      const holder = make("span", { className: "runner-picture lab-picture" });
      holder.append(titledSvg(picture));
      this.#output.append(holder);
    } catch (problem) {
      this.#print("out", this.#pages.take("out", picture));
      this.#note(problem instanceof RangeError ? "This SVG is nested too deeply to be drawn." : /** @type {Error} */ (problem).message);
    }
  }

  /** Text only, whatever it holds: it comes from the sandbox. @param {"out" | "err" | "note"} kind @param {string} text */
  #print(kind, text) {
    if (!text) return;
    const className = `runner-${kind}`;
    const last = this.#output.lastElementChild;
    const piece = last?.className === className && kind !== "note" ? last : this.#output.appendChild(make("span", { className }));
    piece.append(text);
    this.#output.scrollTop = this.#output.scrollHeight; // as a terminal does: the end is what is new
  }

  /** @param {Outcome} outcome @param {string} code what ran */
  #showOutcome({ end, message, traceback, line, hint, dropped, seconds }, code) {
    this.#showPrinted(this.#pictures.end());
    if (this.#pages.lines) this.#offerMore(dropped);
    if (traceback) this.#print("err", this.#lineBreak + traceback);
    if (hint) this.#note(hint);
    if (end === "stopped" || end === "timed-out") return this.#say(SAY[end]);
    if (end === "failed") return this.#say(message);
    if (end === "raised") {
      const text = code.split("\n")[line - 1] ?? "";
      this.#raised = line ? { line, message, text } : undefined;
      if (line) this.#editor?.markError(line, message, text);
      return this.#say(line ? `${message} (line ${line})` : message);
    }
    const nothing = this.#output.childNodes.length === 0;
    this.#say(`Done in ${seconds.toFixed(2)} s${nothing ? "; nothing was printed" : ""}.`);
  }

  /** What is held back is shown where it belongs, a page at each press. @param {number} dropped lines that were not kept */
  #offerMore(dropped) {
    const pages = this.#pages;
    const rest = dropped ? ` ${lines(dropped)} after that ${dropped === 1 ? "was" : "were"} not kept. ${SAY.limit}` : "";
    const words = make("span", { textContent: `${lines(pages.lines)} more.${rest} ` });
    const show = button("Show more", () => {
      for (const { stream, text } of pages.more()) note.before(make("span", { className: `runner-${stream}`, textContent: text }));
      words.textContent = pages.lines ? `${lines(pages.lines)} more.${rest} ` : rest.trim();
      show.hidden = !pages.lines;
      if (show.hidden) this.#output.focus();
      note.hidden = show.hidden && !rest;
    });
    const note = make("span", { className: "runner-note" }, words, show);
    this.#output.append(this.#lineBreak, note);
  }

  /** A line of the page's own. @param {string} text */
  #note(text) {
    this.#print("note", `${this.#lineBreak}${text}\n`);
  }

  /** Half a line of the program's is not to be continued by the page. */
  get #lineBreak() {
    return /[^\n]$/.test(this.#output.textContent ?? "") ? "\n" : "";
  }

  /** @param {string} text */
  #say(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  // What the page holds

  get #name() {
    return this.dataset.name ?? "program.py";
  }

  /** What is shown, without the lines around it. */
  get #text() {
    return this.#editor?.text() ?? this.#shown?.text ?? this.#source.part;
  }

  /** What is shown was written over this, and runs with the lines around it. */
  get #source() {
    return this.#shown?.over ?? this.#pageSource;
  }

  /** @returns {Source} */
  get #pageSource() {
    return JSON.parse(this.querySelector(".py-source")?.textContent ?? "");
  }

  get #controls() {
    return /** @type {HTMLElement} */ (this.querySelector(".frame-controls"));
  }

  get #output() {
    return /** @type {HTMLElement} */ (this.querySelector(".frame-output"));
  }

  get #origin() {
    return this.closest("figure")?.querySelector(".frame-origin");
  }
}

/** Loads the runner when something runs first. @param {import("../core/python-runner.js").Request} request @returns {Promise<Outcome>} */
async function run(request) {
  try {
    const { runPython } = await import("../core/python-runner.js");
    return await runPython(request);
  } catch {
    return { end: "failed", message: SAY.runner, traceback: "", line: 0, hint: "", dropped: 0, seconds: 0 };
  }
}

/** @param {number} count */
const lines = (count) => `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;

/** As an editor has it: the end of the last line is not a line. @param {string} text */
const withoutEnd = (text) => text.replace(/\n$/, "");

/** @param {Draft} draft @param {Source} source @returns {Version} */
const asVersion = (draft, source) => ({ from: "draft", text: draft.text ?? "", over: draft.over ?? source, current: isOf(draft, source) });

customElements.define("py-snippet", PySnippet);
