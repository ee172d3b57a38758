// Draws a shader demo into a canvas. The page and the recorder of posters use this same code, so that a poster is what the page draws.
import { FULLSCREEN_VERTEX, IMAGE_SIZE, parseLog, slidersIn, testPicture } from "./shader.js";

/**
 * @typedef {import("./shader.js").ShaderSource} ShaderSource
 * @typedef {import("./shader.js").ShaderProblem} ShaderProblem
 * @typedef {import("./shader.js").Slider & {at: WebGLUniformLocation | null}} Turned
 * @typedef {{program: WebGLProgram, resolution: WebGLUniformLocation | null, time: WebGLUniformLocation | null, sliders: Turned[]}} Drawing
 */

// Seen where a demo's own vertices leave the canvas uncovered. One dark tone in both themes, because the poster is one picture.
const BACKGROUND = /** @type {const} */ ([0.082, 0.086, 0.102, 1]);

/**
 * A context that gives the same picture everywhere: opaque, edges smoothed. Null where there is no WebGL 2.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 */
export const openContext = (canvas) => {
  const options = { alpha: false, antialias: true, depth: false, powerPreference: "low-power" };
  const gl = /** @type {WebGL2RenderingContext | null} */ (canvas.getContext("webgl2", options));
  if (gl) holdTestPicture(gl);
  return gl;
};

/**
 * Compiles both stages. Either a drawing or the problems, never both.
 * @param {WebGL2RenderingContext} gl @param {ShaderSource} source
 * @returns {{drawing: Drawing, problems: null} | {drawing: null, problems: ShaderProblem[]}}
 */
export const compile = (gl, source) => {
  const program = gl.createProgram();
  const stages = /** @type {const} */ ([
    ["vertex", gl.VERTEX_SHADER, source.vertex ?? FULLSCREEN_VERTEX],
    ["fragment", gl.FRAGMENT_SHADER, source.fragment],
  ]);
  const problems = stages.flatMap(([stage, type, text]) => {
    const shader = /** @type {WebGLShader} */ (gl.createShader(type));
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    // The program keeps what it needs of a shader that is marked for deletion.
    gl.deleteShader(shader);
    return gl.getShaderParameter(shader, gl.COMPILE_STATUS) ? [] : parseLog(stage, gl.getShaderInfoLog(shader));
  });
  if (problems.length === 0) {
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) problems.push(...parseLog("link", gl.getProgramInfoLog(program)));
  }
  if (problems.length > 0) {
    gl.deleteProgram(program);
    return { drawing: null, problems };
  }
  const at = (/** @type {string} */ name) => gl.getUniformLocation(program, name);
  // u_image stays 0, the unit that holds the test picture.
  const sliders = slidersIn(source).map((slider) => ({ ...slider, at: at(slider.name) }));
  return { drawing: { program, resolution: at("u_resolution"), time: at("u_time"), sliders }, problems: null };
};

/**
 * One frame, over the whole canvas. Three vertices unless the demo has its own.
 * @param {WebGL2RenderingContext} gl @param {Drawing} drawing @param {number} time seconds @param {number} [vertices]
 * @param {Map<string, number>} [values] what sliders are set to; the others stand where they start
 */
export const drawFrame = (gl, drawing, time, vertices = 3, values = new Map()) => {
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  gl.viewport(0, 0, width, height);
  gl.clearColor(...BACKGROUND);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(drawing.program);
  gl.uniform2f(drawing.resolution, width, height);
  gl.uniform1f(drawing.time, time);
  for (const { at, name, type, from, to, start } of drawing.sliders) {
    const value = Math.min(Math.max(values.get(name) ?? start, from), to);
    if (type === "int") gl.uniform1i(at, value);
    else gl.uniform1f(at, value);
  }
  gl.drawArrays(gl.TRIANGLES, 0, vertices);
};

/** @param {WebGL2RenderingContext} gl */
const holdTestPicture = (gl) => {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, IMAGE_SIZE, IMAGE_SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, testPicture());
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.REPEAT);
};
