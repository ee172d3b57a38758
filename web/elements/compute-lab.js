// <compute-lab>: a WGSL program that runs on the reader's GPU where WebGPU is, and is compared with the CPU. The editor is loaded by Edit.
import { codeIn } from "../core/code-link.js";
import { report } from "../core/compute.js";
import { button, make } from "../core/dom.js";
import { ComputeProblem, runCompute } from "../core/run-compute.js";
import { OwnCode } from "./own-code.js";

const SAY = {
  none: "This browser has no WebGPU, so the recorded result stays.",
  noLink: "This browser has no WebGPU, so the recorded result stays, and the code in the link is left out.",
  running: "Running…",
  right: "Right.",
  wrong: "Wrong: see the output.",
  stopped: "Stopped.",
};

class ComputeLab extends HTMLElement {
  /** @type {AbortController | undefined} */
  #running;
  /** What the page came with, while the reader's own outcome stands in its place. @type {{output: string, label: string, origin: string} | undefined} */
  #recording;
  #code = new OwnCode({
    element: this,
    language: "glsl",
    result: "output",
    source: () => ({ before: "", part: this.#source.code, after: "", firstLine: 1 }),
    hint: () => "What the lab is given and checked against stays as it was recorded.",
    say: (words) => this.#say(words),
    said: () => this.#status.textContent,
    running: () => Boolean(this.#running),
    ran: () => Boolean(this.#recording),
    putBack: () => this.#putBack(),
    show: () => this.#show(),
  });

  #run = button("Run", () => this.#runProgram());
  #stop = button("Stop", () => this.#running?.abort());
  #status = make("span", { className: "frame-status", role: "status" });

  connectedCallback() {
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", this.#name);
    if (!navigator.gpu) {
      this.#controls.replaceChildren(this.#status);
      return this.#say(codeIn(location.hash)?.id === this.closest("figure")?.id ? SAY.noLink : SAY.none);
    }
    this.#run.classList.add("primary");
    const { edit, reset, copy, version, plain, host } = this.#code;
    this.#controls.replaceChildren(this.#run, this.#stop, edit, reset, copy, this.#status);
    this.#controls.before(plain, host);
    this.prepend(version);
    this.addEventListener("keydown", this.#onKey, { capture: true });
    this.#code.connect();
  }

  /** Leaves what the page came with: the same element may be shown again. */
  disconnectedCallback() {
    if (navigator.gpu) this.#code.disconnect();
    this.#controls.replaceChildren();
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
    this.#code.unmark();
    this.#say(SAY.running);
    this.#code.show();
    const { plan } = this.#source;
    try {
      const { values, device } = await runCompute(this.#code.text, plan, running.signal);
      if (this.#running !== running) return; // Reset came first
      const { text, right } = report(plan, values);
      this.#tell(text, device);
      this.#say(right ? SAY.right : SAY.wrong, !right);
    } catch (problem) {
      if (this.#running !== running) return;
      this.#sayProblem(problem, running.signal.aborted);
    }
    this.#running = undefined;
    this.#code.show();
  }

  /** What the page came with. */
  #putBack() {
    this.#running?.abort();
    this.#running = undefined;
    if (this.#recording) this.#label(this.#recording);
    this.#recording = undefined;
  }

  #show() {
    this.#run.setAttribute("aria-disabled", String(Boolean(this.#running)));
    this.#stop.hidden = !this.#running;
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
    if (line) this.#code.mark(line, message, this.#code.text.split("\n")[line - 1] ?? "");
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
