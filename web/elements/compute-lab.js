// <compute-lab>: a WGSL program that runs on the reader's GPU where WebGPU is, and is compared with the CPU. The editor is loaded by Edit.
import { report } from "../core/compute.js";
import { button, make } from "../core/dom.js";
import { ComputeProblem, runCompute } from "../core/run-compute.js";

const SAY = {
  none: "This browser has no WebGPU, so the recorded result stays.",
  running: "Running…",
  right: "Right.",
  wrong: "Wrong: see the output.",
  stopped: "Stopped.",
  opening: "Opening the editor…",
  editor: "The editor could not be loaded. Is there a connection? Edit tries again.",
};

class ComputeLab extends HTMLElement {
  /** @type {AbortController | undefined} */
  #running;
  /** @type {import("./editor.js").Editor | undefined} */
  #editor;
  /** What the page came with, while the reader's own outcome stands in its place. @type {{output: string, label: string, origin: string} | undefined} */
  #recording;
  /** Aborted when the element leaves the page, and by Reset. */
  #life = new AbortController();

  #run = button("Run", () => this.#runProgram());
  #stop = button("Stop", () => this.#running?.abort());
  #edit = button("Edit", () => this.#openEditor());
  #reset = button("Reset", () => this.#startOver());
  #status = make("span", { className: "frame-status", role: "status" });
  #host = make("div", { className: "runner-editor" });

  connectedCallback() {
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#name);
    if (!navigator.gpu) {
      this.#controls.replaceChildren(this.#status);
      return this.#say(SAY.none);
    }
    this.#run.classList.add("primary");
    this.#controls.replaceChildren(this.#run, this.#stop, this.#edit, this.#reset, this.#status);
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
    this.#editor?.clearErrors();
    this.#say(SAY.running);
    this.#show();
    const { code, plan } = this.#source;
    try {
      const { values, device } = await runCompute(this.#editor?.text() ?? code, plan, running.signal);
      if (this.#running !== running) return; // Reset came first
      const { text, right } = report(plan, values);
      this.#tell(text, device);
      this.#say(right ? SAY.right : SAY.wrong, !right);
    } catch (problem) {
      if (this.#running !== running) return;
      this.#sayProblem(problem, running.signal.aborted);
    }
    this.#running = undefined;
    this.#show();
  }

  async #openEditor() {
    const { signal } = this.#life;
    this.#edit.disabled = true;
    this.#say(SAY.opening);
    try {
      const { openEditor } = await import("./editor.js");
      const editor = await openEditor(this.#host, {
        text: this.#source.code.replace(/\n$/, ""),
        language: "glsl",
        label: `${this.#name}, editable`,
        firstLine: 1,
        hint: "What the lab is given and checked against stays as it was recorded.",
      });
      if (signal.aborted) return editor.destroy();
      this.#editor = editor;
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
    this.#editor?.destroy();
    this.#editor = undefined;
    if (this.#recording) this.#label(this.#recording);
    this.#recording = undefined;
    this.#say("");
    this.#show();
  }

  /** Buttons and panes as the state wants them. A button that goes takes the focus to Run, not to nowhere. */
  #show() {
    const focused = this.contains(document.activeElement) && document.activeElement;
    this.#run.setAttribute("aria-disabled", String(Boolean(this.#running)));
    this.#stop.hidden = !this.#running;
    this.#edit.hidden = Boolean(this.#editor);
    this.#edit.disabled = false;
    this.#reset.hidden = !this.#editor && !this.#recording;
    this.#host.hidden = !this.#editor;
    this.#part(".frame-source").hidden = Boolean(this.#editor);
    if (focused instanceof HTMLButtonElement && focused.hidden) this.#run.focus();
  }

  /** The recording steps aside. @param {string} output @param {string} device */
  #tell(output, device) {
    const label = this.#output.getAttribute("aria-label") ?? "";
    this.#recording ??= { output: this.#output.textContent, label, origin: this.#origin?.textContent ?? "" };
    this.#label({ output, label: `${this.#recording.label}, your run`, origin: `your run · WebGPU on ${device}` });
  }

  /** @param {{output: string, label: string, origin: string}} said */
  #label({ output, label, origin }) {
    this.#output.textContent = output;
    this.#output.setAttribute("aria-label", label);
    if (this.#origin) this.#origin.textContent = origin;
  }

  /** @param {unknown} problem @param {boolean} stopped */
  #sayProblem(problem, stopped) {
    if (stopped) return this.#say(SAY.stopped);
    const { message } = /** @type {Error} */ (problem);
    const line = problem instanceof ComputeProblem ? problem.line : 0;
    if (line) this.#editor?.markError(line, message);
    this.#say(line ? `${message} (line ${line})` : message, true);
  }

  /** @param {string} words @param {boolean} [wrong] */
  #say(words, wrong = false) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
    this.#status.classList.toggle("is-wrong", wrong);
  }

  get #name() {
    return this.dataset.name ?? "program.wgsl";
  }

  /** @returns {{code: string, plan: import("../core/compute.js").Plan}} */
  get #source() {
    return JSON.parse(this.#part(".compute-source").textContent);
  }

  get #controls() {
    return this.#part(".frame-controls");
  }

  get #output() {
    return this.#part(".frame-output");
  }

  get #origin() {
    return this.closest("figure")?.querySelector(".frame-origin");
  }

  /** @param {string} selector */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.querySelector(selector));
  }
}

customElements.define("compute-lab", ComputeLab);
