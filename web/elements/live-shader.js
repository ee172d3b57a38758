// A canvas that plays a shader: one context, one clock, the last drawing that compiled.
import { checkFrame, compile, dispose, drawFrame, holdImage, openContext } from "../core/draw-shader.js";
import { GpuTimer } from "../core/gpu-timer.js";
import { canvasSize } from "../core/shader.js";

// A tab that slept does not jump ahead when it wakes.
const LONGEST_STEP = 0.1; // s
// Frames that take longer are not queued behind each other, and one that takes this long ends the demo: it freezes the whole page.
const SLOW_FRAME = 100; // ms
const ENDLESS_FRAME = 3000; // ms

/**
 * @typedef {import("../core/shader.js").ShaderSource} ShaderSource
 * @typedef {import("../core/shader.js").ShaderProblem} ShaderProblem
 * @typedef {import("../core/shader-reference.js").Verdict} Verdict
 */

export class LiveShader {
  /** Seconds that `u_time` shows. */
  time;
  /** What sliders are set to. @type {Map<string, number>} */
  values = new Map();
  /** Told once a second how many milliseconds lie between two frames, and how many the GPU drew, if it says so. @type {(between: number, drawn: number | null) => void} */
  onMeter = () => {};

  /** Told what the CPU says of what was computed, null where nothing is checked. @type {(verdict: Verdict | null) => void} */
  onChecked = () => {};

  #gl;
  #vertices;
  #timer;
  #life = new AbortController();
  #sizes = new ResizeObserver(() => this.#fit());
  /** @type {import("../core/draw-shader.js").Drawing | null} */
  #drawing = null;
  /** The frame that is asked for, 0 while the picture stands still. */
  #frame = 0;
  #last = 0;
  /** A timer, while a slow frame is waited for. */
  #redrawing = 0;
  #measured = { since: 0, frames: 0 };
  /** Passed by the graphics card when it has drawn what came before. @type {WebGLSync | null} */
  #fence = null;
  #fenced = 0;
  /** Has this drawing been seen to end? Until then, one frame at a time. */
  #proven = false;
  /** Has the result of this drawing, with these sliders, been compared with the CPU's? */
  #checked = false;

  /**
   * Null where the browser gives no WebGL 2 context.
   * @param {{time: number, vertices: number, label: string, onLost: () => void, onEndless: () => void}} options
   */
  static open({ time, vertices, label, onLost, onEndless }) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    const gl = openContext(canvas);
    return gl && new LiveShader(canvas, gl, time, vertices, onLost, onEndless);
  }

  /**
   * @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl
   * @param {number} time @param {number} vertices @param {() => void} onLost @param {() => void} onEndless
   */
  constructor(canvas, gl, time, vertices, onLost, onEndless) {
    this.canvas = canvas;
    this.time = time;
    this.#gl = gl;
    this.#vertices = vertices;
    this.#timer = new GpuTimer(gl);
    this.#sizes.observe(canvas);
    canvas.addEventListener("webglcontextlost", onLost, { signal: this.#life.signal });
    // Not in the frame loop: the browser asks for no frame while it waits for one.
    // Two looks in a row: after a sleep, the first still sees the frame as unfinished.
    let late = 0;
    const guard = setInterval(() => {
      late = this.#busy() > ENDLESS_FRAME ? late + 1 : 0;
      if (late > 1) onEndless();
      else if (!this.#fence) this.#check();
    }, 500);
    this.#life.signal.addEventListener("abort", () => clearInterval(guard));
  }

  get playing() {
    return this.#frame !== 0;
  }

  /** Is a slow frame in work? Whatever asks the graphics card now waits for it, and the page waits too. */
  get busy() {
    return this.#busy() > SLOW_FRAME;
  }

  /** Compiles and draws. With problems, what was drawn before goes on. @param {ShaderSource} source @returns {ShaderProblem[]} */
  load(source) {
    // A lost context compiles nothing and says why nowhere: onLost tells it.
    if (this.#gl.isContextLost()) return [];

    const { drawing, problems } = compile(this.#gl, source);
    if (!drawing) return problems;

    if (this.#drawing) dispose(this.#gl, this.#drawing);
    this.#drawing = drawing;
    this.#proven = false;
    this.#checked = false;
    this.#forgetFence();
    this.#draw();
    return [];
  }

  play() {
    if (this.playing) return;
    this.#last = performance.now();
    this.#measured = { since: this.#last, frames: 0 };
    this.#frame = requestAnimationFrame(this.#tick);
  }

  pause() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** The picture as it stands, as an address for an `<img>`. */
  still() {
    // The browser clears what it has shown, so the frame is drawn again, and read before anything else happens.
    this.#draw();
    return this.canvas.toDataURL();
  }

  close() {
    this.pause();
    clearTimeout(this.#redrawing);
    this.#life.abort();
    this.#sizes.disconnect();
    this.canvas.remove();
    this.#giveBack();
  }

  /** The context goes now, not when the garbage collector comes: until then it counts against the page. */
  #giveBack() {
    // A context in the middle of a slow frame would hold up the page until the frame is done.
    if (this.busy) setTimeout(() => this.#giveBack(), 500);
    else this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #tick = (/** @type {number} */ now) => {
    this.#frame = requestAnimationFrame(this.#tick);
    this.time += Math.min(Math.max(now - this.#last, 0) / 1000, LONGEST_STEP);
    this.#last = now;
    if (this.#busy() > (this.#proven ? SLOW_FRAME : 0)) return;
    this.#draw();
    this.#measure(now);
  };

  /** @param {number} now */
  #measure(now) {
    this.#measured.frames += 1;
    const passed = now - this.#measured.since;
    if (passed < 1000) return;
    this.onMeter(passed / this.#measured.frames, this.#timer.milliseconds);
    this.#measured = { since: now, frames: 0 };
  }

  /** @param {string} name @param {number} value */
  turn(name, value) {
    this.values.set(name, value);
    this.#checked = false;
    this.#redraw();
  }

  /** Another image for `u_image`, null for the test picture. Throws what the browser says where it refuses. @param {HTMLImageElement | null} image */
  hold(image) {
    holdImage(this.#gl, image);
    this.#redraw();
  }

  /** Once, as soon as the frame before is done: the last value a slider had is the one that is seen. */
  #redraw() {
    if (this.playing || this.#redrawing) return;
    if (!this.busy) return this.#draw();
    this.#redrawing = window.setTimeout(() => {
      this.#redrawing = 0;
      this.#redraw();
    }, 30);
  }

  /** For how many milliseconds the graphics card has been at it. */
  #busy() {
    if (this.#fence && this.#gl.getSyncParameter(this.#fence, this.#gl.SYNC_STATUS) === this.#gl.SIGNALED) {
      this.#forgetFence();
      this.#proven = true;
    }
    return this.#fence ? performance.now() - this.#fenced : 0;
  }

  /** Only of a frame that is done: reading the result of another one would make the page wait. */
  #check() {
    if (this.#checked || !this.#drawing || this.#redrawing || this.#gl.isContextLost()) return;
    this.#checked = true;
    this.onChecked(checkFrame(this.#gl, this.#drawing));
  }

  #forgetFence() {
    this.#gl.deleteSync(this.#fence);
    this.#fence = null;
  }

  #fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const { width, height } = canvasSize(clientWidth, clientHeight, devicePixelRatio);
    if (width === this.canvas.width && height === this.canvas.height) return;
    Object.assign(this.canvas, { width, height });
    this.#draw();
  }

  #draw() {
    if (!this.#drawing) return;
    const drawing = this.#drawing;
    this.#timer.time(() => drawFrame(this.#gl, drawing, this.time, this.#vertices, this.values));
    if (this.#fence) return;
    this.#fence = this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#fenced = performance.now();
    this.#gl.flush();
  }
}
