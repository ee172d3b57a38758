// <py-snippet>: a Python file that can be run, changed and put back. What it runs with is loaded by Run, the editor by Edit.
import { megabytes, portion } from "../core/megabytes.js";
import { LIMITS, wholeFile } from "../core/python-pack.js";

const SAY = {
  waiting: "Waiting for the other program to end.",
  booting: "Starting Python…",
  installing: "Loading numpy…",
  running: "Running…",
  stopped: "Stopped.",
  "timed-out": `Stopped after ${LIMITS.seconds} seconds, the most a program may take in this page. Python on your own machine has no such limit.`,
  limit: `A page shows ${LIMITS.lines.toLocaleString("en")} lines or ${LIMITS.characters.toLocaleString("en")} characters.`,
  runner: "Python's runner could not be loaded. Is there a connection? Run tries again.",
  opening: "Opening the editor…",
  editor: "The editor could not be loaded. Is there a connection? Edit tries again.",
};

/**
 * @typedef {import("../core/python-runner.js").Outcome} Outcome
 * @typedef {import("../core/python-runner.js").Progress} Progress
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {{before: string, part: string, after: string, firstLine: number}} Source the reader sees `part`, the whole file runs
 */

class PySnippet extends HTMLElement {
  /** Aborts the program that runs or waits. @type {AbortController | undefined} */
  #running;
  /** @type {Editor | undefined} */
  #editor;
  /** What the page came with, while the reader's own output stands in its place. @type {{output: Node[], label: string, origin: string} | undefined} */
  #recording;
  /** Where the last program failed; an editor that opens after it shows it too. @type {{line: number, message: string, text: string} | undefined} */
  #raised;
  /** Aborted when the element leaves the page, and by Reset: an editor that arrives later is not wanted. */
  #life = new AbortController();

  #run = button("Run", () => this.#runProgram());
  #stop = button("Stop", () => this.#running?.abort());
  #edit = button("Edit", () => this.#openEditor());
  #reset = button("Reset", () => this.#startOver());
  #status = element("span", "frame-status");
  #progress = document.createElement("progress");
  #count = element("span", "runner-count");
  #download = element("div", "runner-download");
  #host = element("div", "runner-editor");

  connectedCallback() {
    this.#run.classList.add("primary");
    this.#status.setAttribute("role", "status");
    this.#progress.setAttribute("aria-label", "Download");
    this.#download.replaceChildren(this.#progress, this.#count);
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#name);
    this.#controls.replaceChildren(this.#run, this.#stop, this.#edit, this.#reset, this.#status, this.#download);
    this.#controls.before(this.#host);
    this.addEventListener("keydown", this.#onKey, { capture: true });
    this.#show();
  }

  /** Leaves what the page came with: the same element may be shown again. */
  disconnectedCallback() {
    this.#startOver();
    this.removeEventListener("keydown", this.#onKey, { capture: true });
    this.#controls.replaceChildren();
    this.#host.remove();
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
    this.#show();
    const code = wholeFile(this.#source, this.#editor?.text() ?? this.#source.part);
    const outcome = await run({
      name: this.#name,
      code,
      signal: running.signal,
      onProgress: (progress) => this.#running === running && this.#showProgress(progress),
      onOutput: (stream, text) => this.#running === running && this.#print(stream, text),
    });
    if (this.#running !== running) return; // Reset came first
    this.#running = undefined;
    this.#showOutcome(outcome, code);
    this.#show();
  }

  async #openEditor() {
    const { signal } = this.#life;
    this.#edit.disabled = true;
    this.#say(SAY.opening);
    try {
      const { openEditor } = await import("./editor.js");
      const { before, part, after, firstLine } = this.#source;
      const hint = before || after ? "The lines around this part run too: see “Whole file”." : "";
      const text = part.replace(/\n$/, "");
      const editor = await openEditor(this.#host, { text, language: "python", label: `${this.#name}, editable`, firstLine, hint });
      if (signal.aborted) return editor.destroy();
      this.#editor = editor;
      if (this.#raised) editor.markError(this.#raised.line, this.#raised.message, this.#raised.text);
      if (this.#status.textContent === SAY.opening) this.#say("");
    } catch {
      this.#say(SAY.editor);
    }
    this.#show();
    this.#editor?.focus();
  }

  #startOver() {
    this.#life.abort();
    this.#life = new AbortController();
    this.#running?.abort();
    this.#running = undefined;
    this.#raised = undefined;
    this.#editor?.destroy();
    this.#editor = undefined;
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
    this.#edit.disabled = false;
    this.#reset.hidden = !this.#editor && !this.#recording;
    this.#host.hidden = !this.#editor;
    this.#download.hidden = true;
    const shown = this.querySelector(".frame-source");
    if (shown instanceof HTMLElement) shown.hidden = Boolean(this.#editor);
    if (focused instanceof HTMLButtonElement && focused.hidden) this.#run.focus();
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

  /** Text only, whatever it holds: it comes from the sandbox. @param {"out" | "err" | "note"} kind @param {string} text */
  #print(kind, text) {
    const className = `runner-${kind}`;
    const last = this.#output.lastElementChild;
    const piece = last?.className === className && kind !== "note" ? last : this.#output.appendChild(element("span", className));
    piece.append(text);
    this.#output.scrollTop = this.#output.scrollHeight; // as a terminal does: the end is what is new
  }

  /** @param {Outcome} outcome @param {string} code what ran */
  #showOutcome({ end, message, traceback, line, hint, dropped, seconds }, code) {
    if (dropped) this.#note(`${dropped.toLocaleString("en")} more ${dropped === 1 ? "line" : "lines"}, not shown. ${SAY.limit}`);
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

  /** @returns {Source} */
  get #source() {
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

/** @param {string} tag @param {string} className */
const element = (tag, className) => Object.assign(document.createElement(tag), { className });

/** @param {string} word @param {() => void} onclick */
const button = (word, onclick) =>
  Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: word, onclick });

customElements.define("py-snippet", PySnippet);
