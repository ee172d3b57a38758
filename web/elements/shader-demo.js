// <shader-demo>: a poster until the reader asks; then a live, editable picture that knows when to rest.
import { button, make } from "../core/dom.js";
import { imagesIn, POSTER_TIME, sayProblem, slidersIn, takeTurn } from "../core/shader.js";
import { siteUrl } from "../core/site.js";
import { LiveShader } from "./live-shader.js";

const COMPILE_AFTER = 300; // ms without a key

const SAY = {
  none: "This browser has no WebGL 2, so the recorded picture stays.",
  refused: "The browser gives no WebGL 2 context now, so the recorded picture stays. Loading the page again can help.",
  lost: "The browser took the picture away. A shader that runs too long causes that, or a busy graphics card. Reset starts again.",
  endless: "One frame took more than 3 seconds, so the shader was stopped. Make its work smaller and press Run, or press Reset.",
  turn: "Newer demos run now, so this one rests at its last picture.",
  still: "You asked for reduced motion, so this is one frame.",
  opening: "Opening the editor…",
  editor: "The editor could not be loaded. Is there a connection? Edit tries again.",
};

/**
 * @typedef {import("../core/shader.js").ShaderProblem} ShaderProblem
 * @typedef {import("../core/shader.js").ShaderSource} ShaderSource
 * @typedef {"vertex" | "fragment"} Stage
 * @typedef {import("./editor.js").Editor} Editor
 */

/** The demos that hold a context, the one that started last at the end. @type {ShaderDemo[]} */
let holders = [];

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

class ShaderDemo extends HTMLElement {
  /** @type {LiveShader | null} */
  #live = null;
  /** Did the reader ask for motion? It moves only while it can be seen, too. */
  #wanted = false;
  #onScreen = false;
  #touched = false;
  #time = POSTER_TIME;
  #compileSoon = 0;
  /** The address of the recorded poster, and what the frame's head says about it. */
  #recorded = "";
  #recordedOrigin = "";
  /** @type {Map<Stage, Editor>} */
  #editors = new Map();
  /** Aborted when the element leaves the page. */
  #life = new AbortController();

  #toggle = button("Run", () => this.#runOrStop());
  #edit = button("Edit", () => this.#openEditors());
  #reset = button("Reset", () => this.#startOver());
  #status = Object.assign(document.createElement("span"), { className: "frame-status", role: "status" });
  /** Not announced: it changes every second. */
  #meter = make("span", { className: "frame-meter", ariaHidden: "true" });
  /** What the CPU says of what the shader computed. */
  #verdict = make("p", { className: "shader-verdict", role: "status", hidden: true });
  #sliders = make("div", { className: "shader-sliders" });
  /** What the reader set, by uniform. @type {Map<string, number>} */
  #values = new Map();
  /** The file that the reader chose for `u_image`; empty: the test picture. */
  #image = "";
  /** What the browser said to it. */
  #uploaded = make("p", { className: "shader-verdict", role: "status", hidden: true });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.#recorded = this.#poster.src;
    this.#recordedOrigin = this.#origin?.textContent ?? "";
    this.#controls.setAttribute("role", "group");
    this.#controls.setAttribute("aria-label", `Demo ${this.dataset.name}`);
    if (typeof WebGL2RenderingContext === "undefined") {
      this.#controls.replaceChildren(this.#status);
      return this.#say(SAY.none);
    }

    this.#controls.replaceChildren(this.#toggle, this.#edit, this.#reset, this.#status, this.#meter);
    for (const other of this.querySelectorAll(".shader-sliders, .shader-verdict")) other.remove(); // of the element that this one is a copy of
    this.#controls.before(this.#sliders);
    this.#controls.after(this.#verdict);
    this.#buildSliders();
    this.#show();
    const seen = new IntersectionObserver(([entry]) => {
      this.#onScreen = entry.isIntersecting;
      this.#moveOrRest();
    });
    seen.observe(this.#stage);
    signal.addEventListener("abort", () => seen.disconnect());
    document.addEventListener("visibilitychange", () => this.#moveOrRest(), { signal });
    reducedMotion.addEventListener("change", () => this.#motionChanged(), { signal });
  }

  /** Leaves what the page came with: the same element may be shown again. */
  disconnectedCallback() {
    this.#life.abort();
    clearTimeout(this.#compileSoon);
    this.#release();
    this.#closeEditors();
    this.#controls.replaceChildren();
    this.#sliders.remove();
    this.#verdict.remove();
    this.#uploaded.remove();
    this.#values.clear();
    this.#image = "";
    this.#touched = false;
    this.#time = POSTER_TIME;
    this.#say("");
  }

  // What the reader does

  #runOrStop() {
    if (!this.#live) return this.#start();
    this.#wanted = !this.#wanted;
    this.#say("");
    this.#moveOrRest();
  }

  async #openEditors() {
    const { signal } = this.#life;
    this.#edit.disabled = true;
    this.#say(SAY.opening);
    try {
      const { openEditor } = await import("./editor.js");
      for (const pane of this.#panes) await this.#openEditor(openEditor, pane);
    } catch {
      this.#closeEditors();
      return this.#say(SAY.editor);
    }
    if (signal.aborted) return this.#closeEditors();
    this.#say("");
    if (!this.#live) this.#start();
    this.#show();
    this.#editors.get("fragment")?.focus();
  }

  /** @param {typeof import("./editor.js").openEditor} openEditor @param {HTMLElement} pane */
  async #openEditor(openEditor, pane) {
    const stage = stageOf(pane);
    const host = Object.assign(document.createElement("div"), { className: "shader-editor" });
    pane.append(host);
    const editor = await openEditor(host, {
      text: (this.#source[stage] ?? "").replace(/\n$/, ""),
      language: "glsl",
      label: `${pane.querySelector(".frame-stage-name")?.textContent ?? `${stage} shader`}, editable`,
      firstLine: 1,
      onChange: () => this.#changed(),
    });
    this.#editors.set(stage, editor);
    preOf(pane).hidden = true;
  }

  #changed() {
    clearTimeout(this.#compileSoon);
    this.#compileSoon = window.setTimeout(() => this.#compile(), COMPILE_AFTER);
  }

  /** The source, the clock and the context that the demo began with. */
  #startOver() {
    clearTimeout(this.#compileSoon);
    this.#closeEditors();
    this.#release();
    this.#time = POSTER_TIME;
    this.#values.clear();
    this.#image = "";
    this.#sayUploaded("");
    this.#buildSliders();
    this.#start();
  }

  /** One for each uniform that announces itself in a comment of either stage. */
  #buildSliders() {
    const id = (/** @type {string} */ name) => `${this.closest("figure")?.id ?? this.dataset.name}-${name}`;
    const choice = this.#imageChoice(id("u_image"));
    this.#sliders.replaceChildren(
      ...slidersIn(this.#texts).map(({ name, label, from, to, step, start }) => {
        const value = Math.min(Math.max(this.#values.get(name) ?? start, from), to);
        const range = make("input", { type: "range", id: id(name), min: `${from}`, max: `${to}`, step: `${step}`, value: `${value}` });
        const output = make("output", { textContent: `${value}` });
        range.addEventListener("input", () => {
          output.textContent = range.value;
          this.#turn(name, Number(range.value));
        });
        return make("div", {}, make("label", { htmlFor: range.id, textContent: label }), output, range);
      }),
      ...choice,
    );
    if (choice.length) this.#sliders.after(this.#uploaded);
    else this.#uploaded.remove();
    this.#sliders.hidden = !this.#sliders.childElementCount;
  }

  /** @param {string} name @param {number} value */
  #turn(name, value) {
    this.#values.set(name, value);
    if (!this.#live) this.#start();
    this.#live?.turn(name, value);
  }

  /** Where the comment beside `u_image` offers one. @param {string} id */
  #imageChoice(id) {
    const names = imagesIn(this.#texts.fragment);
    if (!names.length) return [];
    const select = make("select", { id }, ...names.map((name) => make("option", { textContent: name })));
    select.selectedIndex = Math.max(0, names.indexOf(this.#image));
    select.addEventListener("change", () => {
      this.#image = select.selectedIndex ? names[select.selectedIndex] : "";
      if (this.#live) this.#upload();
      else this.#start();
    });
    return [make("div", {}, make("label", { htmlFor: id, textContent: "Image to upload" }), select)];
  }

  /** Hands the chosen file to the texture, and says what the browser says. */
  async #upload() {
    const { signal } = this.#life;
    const [live, name] = [this.#live, this.#image];
    const image = name ? new Image() : null;
    if (image) image.src = siteUrl(`assets/textures/${name}`);
    const loaded = await image?.decode().then(
      () => true,
      () => false,
    );
    if (signal.aborted || live !== this.#live || name !== this.#image) return;
    if (loaded === false) return this.#sayUploaded(`${name} could not be loaded. Is there a connection?`, true);
    try {
      live?.hold(image);
      this.#sayUploaded(image ? `texImage2D took ${name}: ${image.naturalWidth} x ${image.naturalHeight} texels.` : "");
    } catch (problem) {
      const { name: kind, message } = /** @type {Error} */ (problem);
      this.#sayUploaded(`texImage2D did not take ${name}. This browser says: “${kind}: ${message}” The texture holds what it held.`, true);
    }
  }

  /** @param {string} words @param {boolean} [wrong] */
  #sayUploaded(words, wrong = false) {
    this.#uploaded.textContent = words;
    this.#uploaded.hidden = !words;
    this.#uploaded.classList.toggle("is-wrong", wrong);
  }

  #motionChanged() {
    if (reducedMotion.matches) this.#wanted = false;
    this.#say(this.#live && reducedMotion.matches ? SAY.still : "");
    this.#moveOrRest();
  }

  // The picture

  #start() {
    this.#touched = true;
    this.#show();
    const live = LiveShader.open({
      time: this.#time,
      vertices: Number(this.dataset.vertices) || 3,
      label: this.#poster.alt,
      onLost: () => this.#giveUp(SAY.lost),
      onEndless: () => this.#giveUp(SAY.endless),
    });
    if (!live) return this.#say(SAY.refused);

    live.values = this.#values;
    live.onMeter = (between, drawn) => {
      this.#meter.textContent = `${between.toFixed(1)} ms a frame${drawn === null ? "" : `, the last drawn in ${drawn.toFixed(1)}`}`;
    };
    live.onChecked = (verdict) => this.#judge(verdict);
    const problems = live.load(this.#texts);
    this.#tell(problems);
    if (problems.length > 0) return live.close();

    const turn = takeTurn(holders, this);
    holders = turn.holders;
    for (const demo of turn.released) demo.#rest();

    this.#live = live;
    if (this.#image) this.#upload();
    this.#stage.append(live.canvas);
    this.#poster.hidden = true;
    this.#wanted = !reducedMotion.matches;
    if (reducedMotion.matches) this.#say(SAY.still);
    this.#moveOrRest();
  }

  #compile() {
    if (!this.#live) return; // Run compiles
    if (this.#live.busy) {
      // No new frame until the slow one is done and the new text had its turn.
      this.#live.pause();
      return this.#changed();
    }
    const problems = this.#live.load(this.#texts);
    this.#tell(problems);
    if (problems.length === 0) this.#buildSliders();
    this.#moveOrRest();
  }

  #moveOrRest() {
    if (this.#wanted && this.#onScreen && !document.hidden) this.#live?.play();
    else this.#live?.pause();
    this.#show();
  }

  /** Leaves the last picture in the poster's place, because a newer demo has the context. */
  #rest() {
    if (!this.#live) return;
    this.#poster.src = this.#live.still();
    this.#time = this.#live.time;
    this.#close();
    this.#say(SAY.turn);
  }

  /** @param {string} why */
  #giveUp(why) {
    this.#release();
    this.#say(why, true);
  }

  /** The recorded poster again, and no context. */
  #release() {
    holders = holders.filter((holder) => holder !== this);
    if (this.#poster.src !== this.#recorded) this.#poster.src = this.#recorded;
    this.#close();
  }

  #close() {
    this.#live?.close();
    this.#live = null;
    this.#wanted = false;
    this.#judge(null);
    this.#poster.hidden = false;
    this.#show();
  }

  #closeEditors() {
    for (const editor of this.#editors.values()) editor.destroy();
    this.#editors.clear();
    for (const pane of this.#panes) {
      pane.querySelector(".shader-editor")?.remove();
      preOf(pane).hidden = false;
    }
    this.#edit.disabled = false;
    this.#show();
  }

  // What the reader sees

  /** Buttons as the state wants them. A button that goes takes the focus to Run, not to nowhere. */
  #show() {
    const focused = this.contains(document.activeElement) && document.activeElement;
    this.#toggle.textContent = this.#wanted ? "Stop" : reducedMotion.matches && this.#live ? "Animate" : "Run";
    this.#toggle.classList.toggle("primary", !this.#live);
    this.#edit.hidden = this.#editors.size > 0;
    this.toggleAttribute("data-editing", this.#editors.size > 0);
    this.#reset.hidden = !this.#touched;
    if (!this.#live?.playing) this.#meter.textContent = "";
    this.dataset.state = !this.#live ? "poster" : this.#live.playing ? "playing" : "still";
    this.#sayOrigin();
    if (focused instanceof HTMLButtonElement && focused.hidden) this.#toggle.focus();
  }

  /** Whose picture it is: the head must not say "recorded" of what was drawn just now. */
  #sayOrigin() {
    if (!this.#origin || !this.#recorded) return;
    const drawn = this.#live || this.#poster.src !== this.#recorded;
    const mine = [...this.#editors].some(([stage, editor]) => editor.text() !== (this.#source[stage] ?? "").replace(/\n$/, ""));
    const words = !drawn ? this.#recordedOrigin : mine ? "your version, drawn by this browser" : "drawn by this browser";
    if (this.#origin.textContent !== words) this.#origin.textContent = words;
  }

  /** The first problem in words, and the first of each stage beside its line. @param {ShaderProblem[]} problems */
  #tell(problems) {
    for (const [stage, editor] of this.#editors) {
      editor.clearErrors();
      const first = problems.find((problem) => problem.stage === stage);
      if (first?.line) editor.markError(first.line, first.message);
    }
    if (problems.length === 0) return this.#say("");

    const more = problems.length - 1;
    const others = more > 1 ? ` There are ${more} more.` : more === 1 ? " There is one more." : "";
    this.#say(`${sayProblem(problems[0])}.${others} The ${this.#live ? "last good" : "recorded"} picture stays.`, true);
  }

  /** @param {import("../core/shader-reference.js").Verdict | null} verdict */
  #judge(verdict) {
    this.#verdict.hidden = !verdict;
    this.#verdict.textContent = verdict ? `${verdict.words} ${verdict.agrees ? "They agree." : "They differ."}` : "";
    this.#verdict.classList.toggle("is-wrong", verdict?.agrees === false);
  }

  /** @param {string} words @param {boolean} [wrong] */
  #say(words, wrong = false) {
    this.#status.textContent = words;
    this.#status.classList.toggle("is-wrong", wrong);
  }

  // What the page came with

  /** @returns {ShaderSource} */
  get #source() {
    return JSON.parse(part(this, ".shader-source").textContent ?? "");
  }

  /** What the editors hold, and the source where none is open. @returns {ShaderSource} */
  get #texts() {
    const { vertex, fragment } = this.#source;
    return { vertex: this.#editors.get("vertex")?.text() ?? vertex, fragment: this.#editors.get("fragment")?.text() ?? fragment };
  }

  get #stage() {
    return part(this, ".frame-stage");
  }

  get #poster() {
    return /** @type {HTMLImageElement} */ (part(this, ".frame-poster"));
  }

  get #controls() {
    return part(this, ".frame-controls");
  }

  get #origin() {
    return this.closest("figure")?.querySelector(".frame-origin") ?? null;
  }

  get #panes() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll(".frame-source[data-stage]"));
  }
}

/** @param {HTMLElement} pane */
const stageOf = (pane) => /** @type {Stage} */ (pane.dataset.stage);

/** @param {HTMLElement} pane */
const preOf = (pane) => part(pane, "pre");

/** @param {Element} root @param {string} selector */
const part = (root, selector) => {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`<shader-demo> needs ${selector}`);
  return /** @type {HTMLElement} */ (found);
};

customElements.define("shader-demo", ShaderDemo);
