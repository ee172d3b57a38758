// A canvas that plays a shader: one context, one clock, the last drawing that compiled.
import { compile, drawFrame, openContext } from "../core/draw-shader.js";
import { canvasSize } from "../core/shader.js";

// A tab that slept does not jump ahead when it wakes.
const LONGEST_STEP = 0.1;

/**
 * @typedef {import("../core/shader.js").ShaderSource} ShaderSource
 * @typedef {import("../core/shader.js").ShaderProblem} ShaderProblem
 */

export class LiveShader {
  /** Seconds that `u_time` shows. */
  time;

  #gl;
  #vertices;
  #life = new AbortController();
  #sizes = new ResizeObserver(() => this.#fit());
  /** @type {import("../core/draw-shader.js").Drawing | null} */
  #drawing = null;
  /** The frame that is asked for, 0 while the picture stands still. */
  #frame = 0;
  #last = 0;

  /**
   * Null where the browser gives no WebGL 2 context.
   * @param {{time: number, vertices: number, label: string, onLost: () => void}} options
   */
  static open({ time, vertices, label, onLost }) {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    const gl = openContext(canvas);
    return gl && new LiveShader(canvas, gl, time, vertices, onLost);
  }

  /**
   * @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl
   * @param {number} time @param {number} vertices @param {() => void} onLost
   */
  constructor(canvas, gl, time, vertices, onLost) {
    this.canvas = canvas;
    this.time = time;
    this.#gl = gl;
    this.#vertices = vertices;
    this.#sizes.observe(canvas);
    canvas.addEventListener("webglcontextlost", onLost, { signal: this.#life.signal });
  }

  get playing() {
    return this.#frame !== 0;
  }

  /** Compiles and draws. With problems, what was drawn before goes on. @param {ShaderSource} source @returns {ShaderProblem[]} */
  load(source) {
    // A lost context compiles nothing and says why nowhere: onLost tells it.
    if (this.#gl.isContextLost()) return [];

    const { drawing, problems } = compile(this.#gl, source);
    if (!drawing) return problems;

    if (this.#drawing) this.#gl.deleteProgram(this.#drawing.program);
    this.#drawing = drawing;
    this.#draw();
    return [];
  }

  play() {
    if (this.playing) return;
    this.#last = performance.now();
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

  /** Gives the context back now: the garbage collector would let it count against the page for a while. */
  close() {
    this.pause();
    this.#life.abort();
    this.#sizes.disconnect();
    this.canvas.remove();
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #tick = (/** @type {number} */ now) => {
    this.#frame = requestAnimationFrame(this.#tick);
    this.time += Math.min(Math.max(now - this.#last, 0) / 1000, LONGEST_STEP);
    this.#last = now;
    this.#draw();
  };

  #fit() {
    const { clientWidth, clientHeight } = this.canvas;
    const { width, height } = canvasSize(clientWidth, clientHeight, devicePixelRatio);
    if (width === this.canvas.width && height === this.canvas.height) return;
    Object.assign(this.canvas, { width, height });
    this.#draw();
  }

  #draw() {
    if (this.#drawing) drawFrame(this.#gl, this.#drawing, this.time, this.#vertices);
  }
}
