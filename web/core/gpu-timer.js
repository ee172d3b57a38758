// How long the graphics card needs for a frame, where the browser tells: the time between two frames says nothing below the display's own.

export class GpuTimer {
  /** Of the last frame that was timed, null until one was. @type {number | null} */
  milliseconds = null;

  #gl;
  #tells;
  /** One at a time: its answer comes some frames later. @type {WebGLQuery | null} */
  #query = null;

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.#gl = gl;
    this.#tells = gl.getExtension("EXT_disjoint_timer_query_webgl2");
  }

  /** Draws, and times it unless the answer for an earlier frame is still awaited. @param {() => void} draw */
  time(draw) {
    this.#read();
    if (!this.#tells || this.#query) return draw();
    this.#query = this.#gl.createQuery();
    this.#gl.beginQuery(this.#tells.TIME_ELAPSED_EXT, /** @type {WebGLQuery} */ (this.#query));
    draw();
    this.#gl.endQuery(this.#tells.TIME_ELAPSED_EXT);
  }

  #read() {
    if (!this.#query || !this.#gl.getQueryParameter(this.#query, this.#gl.QUERY_RESULT_AVAILABLE)) return;
    // Disjoint: the clock was changed meanwhile, to save power for instance.
    if (!this.#gl.getParameter(this.#tells.GPU_DISJOINT_EXT))
      this.milliseconds = this.#gl.getQueryParameter(this.#query, this.#gl.QUERY_RESULT) / 1e6;
    this.#gl.deleteQuery(this.#query);
    this.#query = null;
  }
}
