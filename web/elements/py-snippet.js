// <py-snippet>: a Python file that can be run, changed and put back. What it runs with is loaded by Run, the editor by Edit.
import { button, make } from "../core/dom.js";
import { megabytes, portion } from "../core/megabytes.js";
import { PictureReader } from "../core/pictures.js";
import { KEEP_PYTHON, LIMITS, OutputPages, wholeFile } from "../core/python-pack.js";
import { titledSvg } from "../core/safe-svg.js";
import { OwnCode } from "./own-code.js";

const SAY = {
  waiting: "Waiting for the other program to end.",
  booting: "Starting Python…",
  installing: "Loading numpy…",
  running: "Running…",
  stopped: "Stopped.",
  "timed-out": `Stopped after ${LIMITS.seconds} seconds, the most a program may take in this page. Python on your own machine has no such limit.`,
  limit: `A page keeps ${LIMITS.lines.toLocaleString("en")} lines or ${LIMITS.characters.toLocaleString("en")} characters.`,
  runner: `Python's runner could not be loaded. Is there a connection? Run tries again. ${KEEP_PYTHON}`,
};

/**
 * @typedef {import("../core/python-runner.js").Outcome} Outcome
 * @typedef {import("../core/python-runner.js").Progress} Progress
 */

class PySnippet extends HTMLElement {
  /** What the last program printed. */
  #pages = new OutputPages();
  #pictures = new PictureReader();
  /** Aborts the program that runs or waits. @type {AbortController | undefined} */
  #running;
  /** What the page came with, while the reader's own output stands in its place. @type {{output: Node[], label: string, origin: string} | undefined} */
  #recording;
  #code = new OwnCode({
    element: this,
    language: "python",
    result: "output",
    source: () => JSON.parse(this.querySelector(".py-source")?.textContent ?? ""),
    hint: ({ before, after }) => (before || after ? "The lines around this part run too: see “Whole file”." : ""),
    say: (words) => this.#say(words),
    said: () => this.#status.textContent,
    running: () => Boolean(this.#running),
    ran: () => Boolean(this.#recording),
    putBack: () => this.#putBack(),
    show: () => this.#show(),
  });

  #run = button("Run", () => this.#runProgram());
  #stop = button("Stop", () => this.#running?.abort());
  #status = make("span", { className: "frame-status" });
  #progress = document.createElement("progress");
  #count = make("span", { className: "runner-count" });
  #download = make("div", { className: "runner-download" });

  connectedCallback() {
    this.#run.classList.add("primary");
    this.#status.setAttribute("role", "status");
    this.#progress.setAttribute("aria-label", "Download");
    this.#download.replaceChildren(this.#progress, this.#count);
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#name);
    const { edit, reset, copy, version, plain, host } = this.#code;
    this.#controls.replaceChildren(this.#run, this.#stop, edit, reset, copy, this.#status, this.#download);
    this.#controls.before(plain, host);
    this.prepend(version);
    this.addEventListener("keydown", this.#onKey, { capture: true });
    this.#code.connect();
  }

  /** Leaves what the page came with: the same element may be shown again. */
  disconnectedCallback() {
    this.#code.disconnect();
    this.#controls.replaceChildren();
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
    this.#code.unmark();
    this.#pages = new OutputPages();
    this.#pictures = new PictureReader();
    this.#code.show();
    const code = wholeFile(this.#code.source, this.#code.text);
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
    this.#code.show();
  }

  /** What the page came with. */
  #putBack() {
    this.#running?.abort();
    this.#running = undefined;
    if (!this.#recording) return;
    this.#output.replaceChildren(...this.#recording.output);
    this.#label(this.#recording.label, this.#recording.origin);
    this.#recording = undefined;
  }

  // What the reader sees

  #show() {
    this.#run.setAttribute("aria-disabled", String(Boolean(this.#running)));
    this.#stop.hidden = !this.#running;
    this.#download.hidden = true;
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
    this.#code.show();
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
      if (line) this.#code.mark(line, message, text);
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

customElements.define("py-snippet", PySnippet);
