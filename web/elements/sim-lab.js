// <sim-lab>: a simulator with the controls its signature asks for. Recorded settings answer from a small file; others, and edited code, from Python.
import pack from "built:python-pack";
import { button, make } from "../core/dom.js";
import { framesAt } from "../core/frames.js";
import { callFor, defaults, dropSetting, judge, placeOf, putSetting, readOutput, readSignature, sayValue, settingIn } from "../core/lab.js";
import { megabytes, portion } from "../core/megabytes.js";
import { filesFor, LIMITS } from "../core/python-pack.js";
import { safeSvg } from "../core/safe-svg.js";
import { siteUrl } from "../core/site.js";
import { OwnCode } from "./own-code.js";

const SAY = {
  lost: "The recorded settings could not be loaded. Is there a connection? The next change tries again.",
  runner: "Python's runner could not be loaded. Is there a connection?",
  changed: "You changed the model: Run answers with it.",
  controls: "The controls follow the signature you wrote.",
  "timed-out": `Stopped: a program may run for ${LIMITS.seconds} seconds here.`,
};
const STAGES = {
  waiting: "Waiting for the other program…",
  booting: "Starting Python…",
  installing: "Loading numpy…",
  running: "Running…",
};
/** Safari allows a hundred changes of the address in half a minute. */
const ADDRESS_AFTER = 400; // ms

/** Did the reader let Python in, here or in another simulator of this visit? */
let pythonAllowed = false;

/**
 * @typedef {import("../core/lab.js").Lab} Lab
 * @typedef {import("../core/lab.js").Control} Control
 * @typedef {import("../core/lab.js").Setting} Setting
 * @typedef {import("../core/lab.js").Value} Value
 * @typedef {import("../core/lab.js").Frame} Frame
 */

class SimLab extends HTMLElement {
  /** Of the model that answers. @type {Lab} */
  #lab = { controls: [], recorded: 0, predict: { ask: "", at: {}, unit: "", one: "", choices: [] } };
  /** @type {Setting} */
  #setting = {};
  /** Shows a control's value, whoever changed it. @type {Map<string, (value: Value) => void>} */
  #shows = new Map();
  /** The code that answers; undefined: the model as it came. @type {string | undefined} */
  #model;
  /** What the reader wants to answer from now on, once its signature is read. @type {string | undefined} */
  #next;
  /** The latest question counts; an answer to an earlier one is thrown away. */
  #turn = 0;
  /** @type {AbortController | undefined} */
  #running;
  #life = new AbortController();
  #addressSoon = 0;
  /** What the frame's head says while the page's own model answers. */
  #recordedOrigin = "";
  #built = false;

  #status = make("span", { className: "frame-status" });
  #python = button("Let Python answer", () => this.#allowPython());
  #stop = button("Stop", () => this.#running?.abort());
  #progress = make("progress");
  #count = make("span", { className: "runner-count" });
  #printed = make("pre", { className: "frame-output", tabIndex: 0, hidden: true });
  #copy = button("Copy link", () => this.#copyLink());
  #run = button("Run", () => this.#runEdited());
  #codeStatus = make("span", { className: "frame-status" });
  #code = new OwnCode({
    element: this,
    language: "python",
    result: "picture",
    source: () => ({ before: "", part: this.#pageSource, after: "", firstLine: 1 }),
    hint: () => "The controls are made from the parameters of simulate().",
    say: (words) => this.#sayOfCode(words),
    said: () => this.#codeStatus.textContent,
    running: () => Boolean(this.#running),
    ran: () => this.#model !== undefined,
    putBack: () => this.#putBack(),
    show: () => this.#showCode(),
    typed: () => this.#sayOfCode(SAY.changed),
    unfold: () => this.#unfold(),
  });

  connectedCallback() {
    this.#life = new AbortController();
    if (!this.#built) this.#build();
    else if (this.#turn) this.#answer();
    const { version, plain, host } = this.#code;
    this.#part(".lab-code").before(version);
    this.#part(".lab-code .frame-source").after(plain, host);
    this.#code.connect();
  }

  #build() {
    this.#built = true;
    this.#lab = this.#pageLab;
    const asked = settingIn(this.#lab, this.#stem, new URLSearchParams(location.search));
    this.#setting = defaults(this.#lab);
    this.#buildControls();
    this.#buildCode();
    this.#askFirst();
    if (JSON.stringify(asked) !== JSON.stringify(this.#setting)) this.#choose(asked);
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#running?.abort();
    clearTimeout(this.#addressSoon);
    this.#code.disconnect();
  }

  // The controls

  #buildControls() {
    const controls = this.#part(".lab-controls");
    controls.setAttribute("role", "group");
    controls.setAttribute("aria-label", `Controls of ${this.#name}`);
    this.#status.setAttribute("role", "status");
    this.#progress.setAttribute("aria-label", "Download");
    const download = make("div", { className: "runner-download" }, this.#progress, this.#count);
    const tools = make(
      "div",
      { className: "lab-tools" },
      button("Start values", () => this.#choose(defaults(this.#lab))),
      this.#copy,
      this.#python,
      this.#stop,
      this.#status,
      download,
    );
    this.#python.classList.add("primary");
    this.#makeControls();
    this.#part(".lab-says").after(tools);
    this.#showProgress(null);
  }

  #makeControls() {
    this.#shows.clear();
    this.#part(".lab-controls").replaceChildren(...this.#lab.controls.map((control) => this.#control(control)));
  }

  /** @param {Control} control */
  #control(control) {
    if (control.type === "bool") return this.#switch(control);
    return control.type === "str" ? this.#choice(control) : this.#slider(control);
  }

  /** A slider over the places of the values, so that it moves evenly whatever they are. @param {Control} control */
  #slider(control) {
    const { name, label, values } = control;
    const id = this.#id(name);
    const range = make("input", { type: "range", id, min: "0", max: String(values.length - 1), step: "1" });
    const output = make("output");
    output.htmlFor.add(id);
    const set = (/** @type {number} */ place) =>
      this.#choose({ ...this.#setting, [name]: values[Math.min(Math.max(place, 0), values.length - 1)] });
    const less = button("−", () => set(Number(range.value) - 1));
    const more = button("+", () => set(Number(range.value) + 1));
    less.setAttribute("aria-label", `${label}: less`);
    more.setAttribute("aria-label", `${label}: more`);
    range.addEventListener("input", () => set(Number(range.value)));
    this.#shows.set(name, (value) => {
      range.value = String(values.indexOf(value));
      output.textContent = sayValue(control, value);
      range.setAttribute("aria-valuetext", sayValue(control, value));
    });
    this.#shows.get(name)?.(control.default);
    const head = make("div", { className: "lab-label" }, make("label", { htmlFor: id, textContent: label }), output);
    return make("div", { className: "lab-control" }, head, make("div", { className: "lab-slider" }, less, range, more));
  }

  /** @param {Control} control */
  #choice(control) {
    const { name, label, values } = control;
    const options = values.map((value) => make("option", { value: String(value), textContent: sayValue(control, value) }));
    const select = make("select", { id: this.#id(name) }, ...options);
    select.addEventListener("change", () => this.#choose({ ...this.#setting, [name]: values[select.selectedIndex] }));
    this.#shows.set(name, (value) => {
      select.selectedIndex = values.indexOf(value);
    });
    select.selectedIndex = values.indexOf(control.default);
    return make("div", { className: "lab-control lab-choice" }, make("label", { htmlFor: select.id, textContent: label }), select);
  }

  /** @param {Control} control */
  #switch({ name, label, default: usual }) {
    const box = make("input", { type: "checkbox", id: this.#id(name), checked: usual === true });
    box.addEventListener("change", () => this.#choose({ ...this.#setting, [name]: box.checked }));
    this.#shows.set(name, (value) => {
      box.checked = value === true;
    });
    return make("div", { className: "lab-control lab-switch" }, make("label", { className: "chip" }, box, ` ${label}`));
  }

  /** @param {Setting} setting @returns {Promise<Frame | undefined>} the answer, where there is one and nothing later was asked */
  #choose(setting) {
    this.#setting = setting;
    for (const [name, show] of this.#shows) show(setting[name]);
    clearTimeout(this.#addressSoon);
    this.#addressSoon = window.setTimeout(() => this.#noteInAddress(), ADDRESS_AFTER);
    return this.#answer();
  }

  #noteInAddress() {
    clearTimeout(this.#addressSoon);
    this.#addressSoon = 0;
    history.replaceState(history.state, "", this.#address());
  }

  #address() {
    const url = new URL(location.href);
    dropSetting(this.#stem, url.searchParams);
    putSetting(this.#lab, this.#stem, this.#setting, url.searchParams);
    return url;
  }

  async #copyLink() {
    const url = this.#address();
    url.hash = this.closest("figure")?.id ?? "";
    try {
      await navigator.clipboard.writeText(url.href);
      this.#say("Copied: the link opens this setting.");
    } catch {
      history.replaceState(history.state, "", url);
      this.#say("The address of this page now holds this setting.");
    }
  }

  // The answer

  /** @returns {Promise<Frame | undefined>} */
  async #answer() {
    const turn = ++this.#turn;
    if (this.#life.signal.aborted) return undefined;
    const place = this.#model === undefined && this.#next === undefined ? placeOf(this.#lab, this.#setting) : -1;
    if (place < 0) return this.#askPython();
    this.#abandon();
    try {
      const frame = (await framesAt(siteUrl(this.dataset.frames ?? "")))[place];
      if (turn !== this.#turn) return undefined;
      this.#showFrame(frame);
      this.#say("");
      return frame;
    } catch {
      if (turn === this.#turn) this.#notKnown(SAY.lost);
      return undefined;
    }
  }

  #allowPython() {
    pythonAllowed = true;
    this.#answer();
  }

  /** @returns {Promise<Frame | undefined>} */
  async #askPython() {
    if (!pythonAllowed) {
      this.#notKnown(`This setting is not recorded. Python can answer it here: ${pythonSize()}, downloaded once.`);
      this.#python.hidden = false;
      return undefined;
    }
    // One program at a time: while one runs, only the latest question waits.
    if (this.#running) return undefined;
    const turn = this.#turn;
    const running = new AbortController();
    this.#running = running;
    this.#python.hidden = true;
    const frame = await this.#askOnce(turn, running);
    if (this.#running !== running) return undefined;
    this.#running = undefined;
    this.#showProgress(null);
    this.#code.show();
    if (turn === this.#turn || running.signal.aborted) return frame;
    this.#answer();
    return undefined;
  }

  /** @param {number} turn @param {AbortController} running @returns {Promise<Frame | undefined>} */
  async #askOnce(turn, running) {
    if (this.#next !== undefined && !(await this.#takeNext(this.#next, running))) return undefined;
    const program = (this.#model ?? this.#pageSource) + callFor(this.#lab, this.#setting);
    const { outcome, output } = await this.#runProgram(this.#name, program, running);
    const isAsked = this.#running === running && (turn === this.#turn || running.signal.aborted);
    return isAsked ? this.#showOutcome(outcome, output) : undefined;
  }

  /** The changed model answers from now on, where its signature is one. @param {string} code @param {AbortController} running @returns {Promise<boolean>} */
  async #takeNext(code, running) {
    const found = await this.#readSignature(code, running);
    if (this.#running !== running) return false;
    if (this.#next !== code && this.#next !== undefined) return this.#takeNext(this.#next, running);
    this.#next = undefined;
    if (typeof found === "string") {
      this.#say("");
      this.#sayOfCode(found);
      return false;
    }
    this.#model = code;
    this.#takeControls(found);
    return true;
  }

  /** The controls, or why there are none. @param {string} code @param {AbortController} running @returns {Promise<Control[] | string>} */
  async #readSignature(code, running) {
    try {
      const { signatureReader } = await import("../core/signature.js");
      const { outcome, output } = await this.#runProgram("signature.py", signatureReader(code), running);
      if (outcome.end !== "finished") return outcome.end === "stopped" ? "Stopped." : outcome.message;
      const { controls, wrong } = readSignature(output);
      if (!wrong.length) return controls;
      const [{ line, message, hint }] = wrong;
      this.#code.mark(line, hint ? `${message}. As it has to be:\n${hint}` : message, code.split("\n")[line - 1] ?? "");
      return `${message} (line ${line}). Controls and picture stay as they were.`;
    } catch (problem) {
      return problem instanceof TypeError ? SAY.runner : /** @type {Error} */ (problem).message;
    }
  }

  /** @param {Control[]} controls */
  #takeControls(controls) {
    if (JSON.stringify(controls) === JSON.stringify(this.#lab.controls)) return;
    // The address is where a setting lives: what it says counts for the new controls, too.
    if (this.#addressSoon) this.#noteInAddress();
    const { recorded, predict } = this.#pageLab;
    this.#lab = { controls, recorded: this.#model === undefined ? recorded : 0, predict };
    this.#setting = settingIn(this.#lab, this.#stem, new URLSearchParams(location.search));
    this.#makeControls();
    for (const [name, show] of this.#shows) show(this.#setting[name]);
    if (this.#model !== undefined) this.#sayOfCode(SAY.controls);
  }

  /** @param {string} name @param {string} code @param {AbortController} running */
  async #runProgram(name, code, running) {
    let output = "";
    const outcome = await run({
      name,
      code,
      signal: running.signal,
      onProgress: (progress) => this.#running === running && this.#showProgress(progress),
      onOutput: (_, text) => {
        output += text;
      },
    });
    return { outcome, output };
  }

  /** What runs is no longer asked for. */
  #abandon() {
    this.#running?.abort();
    this.#running = undefined;
    this.#showProgress(null);
  }

  /** @param {import("../core/python-runner.js").Outcome} outcome @param {string} output */
  #showOutcome({ end, message, line, seconds }, output) {
    this.#code.unmark();
    if (end === "finished") {
      try {
        const { frame, printed } = readOutput(output);
        this.#showFrame(frame);
        this.#print(printed);
        this.#say(`Answered by Python in ${seconds.toFixed(2)} s.`);
        return frame;
      } catch (problem) {
        this.#notKnown(problem instanceof Error ? problem.message : String(problem));
        return undefined;
      }
    }
    this.#print(output);
    if (end === "raised" && line) this.#code.mark(line, message, this.#model?.split("\n")[line - 1] ?? "");
    this.#notKnown(end === "stopped" ? "Stopped." : end === "timed-out" ? SAY[end] : line ? `${message} (line ${line})` : message);
    return undefined;
  }

  /** @param {string} text */
  #print(text) {
    const { characters } = LIMITS.page;
    this.#printed.textContent = text.length > characters ? `${text.slice(0, characters)}\n… The rest is not shown.` : text;
    this.#printed.hidden = !text;
  }

  /** @param {Frame} frame */
  #showFrame({ svg, says, table }) {
    this.removeAttribute("data-stale");
    this.#part(".lab-picture").replaceChildren(safeSvg(svg, says));
    const sentence = this.#part(".lab-says");
    sentence.setAttribute("role", "status");
    sentence.textContent = says;
    const [head, ...rows] = table;
    const cell = (/** @type {string | number} */ value) => (Number.isInteger(value) ? value.toLocaleString("en") : String(value));
    const line = (/** @type {(string | number)[]} */ [first, ...rest]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row", textContent: cell(first) }),
        ...rest.map((value) => make("td", { textContent: cell(value) })),
      );
    this.#part(".lab-numbers table").replaceChildren(
      make(
        "thead",
        {},
        make("tr", {}, ...head.map((name) => (name === "" ? make("td") : make("th", { scope: "col", textContent: String(name) })))),
      ),
      make("tbody", {}, ...rows.map(line)),
    );
  }

  /** The picture is not of this setting: it fades, and the words say why. @param {string} words */
  #notKnown(words) {
    this.setAttribute("data-stale", "");
    this.#say(words);
  }

  /** @param {import("../core/python-runner.js").Progress | null} progress */
  #showProgress(progress) {
    this.#stop.hidden = !progress;
    this.#python.hidden = true;
    const downloading = progress?.stage === "downloading";
    const bar = this.#progress.parentElement;
    if (bar) bar.hidden = !downloading;
    if (!progress) return;
    if (!downloading) return this.#say(STAGES[progress.stage]);
    this.#say(`Downloading ${progress.what} (${megabytes(progress.total)}, once).`);
    this.#progress.max = progress.total;
    this.#progress.value = progress.done;
    this.#count.textContent = portion(progress.done, progress.total);
  }

  // Predict, then run

  #askFirst() {
    const { ask, unit, choices } = this.#lab.predict;
    const id = this.#id("the-guess"); // no parameter is called that
    const field = choices.length
      ? make(
          "select",
          { id },
          make("option", { value: "", textContent: "Choose" }),
          ...choices.map((choice) => make("option", { textContent: choice })),
        )
      : make("input", { id, type: "text", inputMode: "decimal", autocomplete: "off" });
    const wrong = make("span", { className: "lab-wrong" });
    wrong.setAttribute("role", "status");
    const form = make(
      "form",
      { className: "lab-ask" },
      make("label", { htmlFor: id }, make("strong", { textContent: "Predict first. " }), ask),
      make(
        "div",
        { className: "lab-guess" },
        field,
        ...(unit ? [make("span", { textContent: unit })] : []),
        make("button", { className: "button primary", textContent: "Predict" }),
        button("Skip", () => form.remove()),
        wrong,
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const guess = choices.length
        ? field.value
        : Number(field.value.trim().replace(/^(\d{1,3})(,\d{3})+$/, (text) => text.replaceAll(",", "")) || "x");
      if (guess === "" || Number.isNaN(guess)) {
        wrong.textContent = choices.length ? "Choose one first." : "Type a number first.";
        field.focus();
        return;
      }
      this.#compare(guess, form);
    });
    this.#part(".lab-predict").replaceChildren(form);
  }

  /** @param {string | number} guess @param {HTMLFormElement} form */
  async #compare(guess, form) {
    const { predict } = this.#lab;
    const frame = await this.#choose({ ...defaults(this.#lab), ...predict.at });
    if (!frame) return;
    const { words, factor } = judge(predict, guess, frame.result);
    const verdict = make("p", { className: "lab-verdict", tabIndex: -1 }, make("strong", { textContent: `${predict.ask} ` }), words);
    form.replaceWith(verdict);
    verdict.focus({ preventScroll: true });
    const { keepGuess } = await import("../core/calibration.js");
    await keepGuess({ lab: `${this.closest("figure")?.id}`, ask: predict.ask, guess, result: frame.result, factor });
  }

  // The code

  #buildCode() {
    this.#codeStatus.setAttribute("role", "status");
    const { edit, reset, copy } = this.#code;
    const controls = make("div", { className: "frame-controls" }, edit, this.#run, reset, copy, this.#codeStatus);
    this.#run.classList.add("primary");
    this.#part(".lab-code").append(controls, this.#printed);
    this.#printed.setAttribute("aria-label", `What ${this.#name} printed`);
    this.#part(".lab-code").addEventListener(
      "keydown",
      (event) => {
        if (this.#run.hidden || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation();
        this.#runEdited();
      },
      { capture: true },
    );
  }

  #runEdited() {
    pythonAllowed = true; // the size was said when the code was shown
    this.#code.unmark();
    this.#sayOfCode("");
    this.#next = `${this.#code.text}\n`;
    this.#answer();
  }

  /** The model as it came, its controls and its picture. */
  #putBack() {
    const isOther = this.#model !== undefined || this.#running;
    this.#abandon();
    this.#next = this.#model = undefined;
    this.#print("");
    if (!isOther) return;
    this.#takeControls(this.#pageLab.controls);
    this.#answer();
  }

  #showCode() {
    const open = this.#code.isOpen;
    const changed = this.#model !== undefined;
    this.#run.hidden = !open;
    this.toggleAttribute("data-editing", open);
    // The question, and a link to a setting, are of the page's own model.
    this.#part(".lab-predict").hidden = this.#copy.hidden = changed;
    if (open && !pythonAllowed && !this.#codeStatus.textContent) this.#sayOfCode(`Run needs Python: ${pythonSize()}, downloaded once.`);
    const origin = this.closest("figure")?.querySelector(".frame-origin");
    if (!origin) return;
    this.#recordedOrigin ||= origin.textContent ?? "";
    origin.textContent = changed ? "your model, answered by Python in this browser" : this.#recordedOrigin;
  }

  #unfold() {
    /** @type {HTMLDetailsElement} */ (this.#part(".lab-code")).open = true;
    this.#code.version.scrollIntoView();
  }

  /** @param {string} words */
  #sayOfCode(words) {
    if (this.#codeStatus.textContent !== words) this.#codeStatus.textContent = words;
  }

  // What the page holds

  /** @param {string} words */
  #say(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }

  /** @param {string} name */
  #id(name) {
    return `${this.closest("figure")?.id}-${name}`;
  }

  get #name() {
    return this.dataset.name ?? "simulator.py";
  }

  get #stem() {
    return this.#name.replace(/\.py$/, "");
  }

  get #pageSource() {
    return this.#part(".lab-code .frame-source pre").textContent ?? "";
  }

  /** @returns {Lab} */
  get #pageLab() {
    return JSON.parse(this.#part(".lab-data").textContent ?? "");
  }

  /** @param {string} selector @returns {HTMLElement} */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.querySelector(selector));
  }
}

const pythonSize = () => megabytes(filesFor(pack, "").reduce((sum, file) => sum + file.bytes, 0));

/** @param {import("../core/python-runner.js").Request} request @returns {Promise<import("../core/python-runner.js").Outcome>} */
const run = async (request) => {
  try {
    const { runPython } = await import("../core/python-runner.js");
    return await runPython(request);
  } catch {
    return { end: "failed", message: SAY.runner, traceback: "", line: 0, hint: "", dropped: 0, seconds: 0 };
  }
};

customElements.define("sim-lab", SimLab);
