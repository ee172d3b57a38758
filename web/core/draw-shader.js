// Draws a shader demo into a canvas. The page and the recorder of posters use this same code, so that a poster is what the page draws.
import { checkIn, FULLSCREEN_VERTEX, FULLSCREEN_VERTEX_1, IMAGE_SIZE, parseLog, passesIn, slidersIn, testPicture } from "./shader.js";
import { REFERENCES } from "./shader-reference.js";

/**
 * @typedef {import("./shader.js").ShaderSource} ShaderSource
 * @typedef {import("./shader.js").ShaderProblem} ShaderProblem
 * @typedef {import("./shader.js").Slider & {at: WebGLUniformLocation | null}} Turned
 * @typedef {import("./shader.js").CanvasPass} CanvasPass
 * @typedef {{texture: WebGLTexture, framebuffer: WebGLFramebuffer}} Target
 * @typedef {{width: number, height: number, all: Target[], last: number}} Targets  the first pass writes into the first, the others into the other two in turn; `last` was written last
 * @typedef {{
 *   program: WebGLProgram, plan: import("./shader.js").Plan, targets: Targets | null, check: string | null, numbers: WebGLBuffer | null,
 *   sliders: Turned[], at: Record<"u_resolution" | "u_time" | "u_pass" | "u_input" | "u_before", WebGLUniformLocation | null>,
 * }} Drawing
 */

// Seen where a demo's own vertices leave the canvas uncovered. One dark tone in both themes, because the poster is one picture.
const BACKGROUND = /** @type {const} */ ([0.082, 0.086, 0.102, 1]);

// Texture units: the test picture, what the first pass wrote, what the pass before wrote.
const INPUT_UNIT = 1;
const BEFORE_UNIT = 2;

/**
 * A context that gives the same picture everywhere: opaque, edges smoothed. Null where there is no WebGL 2.
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 */
export const openContext = (canvas) => {
  const options = { alpha: false, antialias: true, depth: true, powerPreference: "low-power" };
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
  const version3 = source.fragment.startsWith("#version 300 es");
  const stages = /** @type {const} */ ([
    ["vertex", gl.VERTEX_SHADER, source.vertex ?? (version3 ? FULLSCREEN_VERTEX : FULLSCREEN_VERTEX_1)],
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
  const { plan, problems: unplanned } = passesIn(source.fragment);
  const check = checkIn(source.fragment);
  if (check && !Object.hasOwn(REFERENCES, check))
    unplanned.push({
      stage: "fragment",
      line: null,
      message: `nothing checks \`${check}\`, only ${Object.keys(REFERENCES).join(" and ")}`,
    });
  problems.push(...unplanned);
  if (problems.length === 0) {
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) problems.push(...parseLog("link", gl.getProgramInfoLog(program)));
  }
  if (problems.length > 0) {
    gl.deleteProgram(program);
    return { drawing: null, problems };
  }
  const at = (/** @type {string} */ name) => gl.getUniformLocation(program, name);
  const drawing = {
    program,
    plan,
    check: plan.size && check,
    targets: plan.size && makeTargets(gl, plan.size),
    numbers: numberVertices(gl, program),
    // u_image stays 0, the unit that holds the test picture.
    sliders: slidersIn(source).map((slider) => ({ ...slider, at: at(slider.name) })),
    at: { u_resolution: at("u_resolution"), u_time: at("u_time"), u_pass: at("u_pass"), u_input: at("u_input"), u_before: at("u_before") },
  };
  return { drawing, problems: null };
};

/** Gives back what a drawing holds. @param {WebGL2RenderingContext} gl @param {Drawing} drawing */
export const dispose = (gl, { program, targets, numbers }) => {
  gl.deleteProgram(program);
  gl.deleteBuffer(numbers);
  for (const { texture, framebuffer } of targets?.all ?? []) {
    gl.deleteTexture(texture);
    gl.deleteFramebuffer(framebuffer);
  }
};

/**
 * One frame, all of its passes. Three vertices unless the demo has its own.
 * @param {WebGL2RenderingContext} gl @param {Drawing} drawing @param {number} time seconds @param {number} [vertices]
 * @param {Map<string, number>} [values] what sliders are set to; the others stand where they start
 */
export const drawFrame = (gl, drawing, time, vertices = 3, values = new Map()) => {
  const { at, targets } = drawing;
  gl.useProgram(drawing.program);
  gl.uniform1f(at.u_time, time);
  gl.uniform1i(at.u_input, INPUT_UNIT);
  gl.uniform1i(at.u_before, BEFORE_UNIT);
  for (const { at: place, name, type, from, to, start } of drawing.sliders) {
    const value = Math.min(Math.max(values.get(name) ?? start, from), to);
    if (type === "int") gl.uniform1i(place, value);
    else gl.uniform1f(place, value);
  }
  let begun = false;
  if (targets) {
    targets.last = 2; // holds nothing yet: what the first pass finds
    clear(gl, targets.all[2]);
  }
  drawing.plan.passes.forEach((pass, number) => {
    const size =
      pass.into === "texture" && targets ? aim(gl, targets, number) : aimAtCanvas(gl, /** @type {CanvasPass} */ (pass), targets, !begun);
    begun ||= pass.into === "canvas";
    gl.uniform1i(at.u_pass, number);
    gl.uniform2f(at.u_resolution, size.width, size.height);
    gl.viewport(0, 0, size.width, size.height);
    gl.drawArrays(gl.TRIANGLES, 0, vertices);
  });
};

/**
 * What the CPU says of the last frame's result, null where a demo asks for no check. Waits for the frame.
 * @param {WebGL2RenderingContext} gl @param {Drawing} drawing
 */
export const checkFrame = (gl, { check, targets }) => {
  if (!check || !targets) return null;
  const { width, height, all, last } = targets;
  const texels = (/** @type {Target} */ { framebuffer }) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.readBuffer(gl.COLOR_ATTACHMENT1);
    const bits = new Uint32Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, bits);
    return new Float32Array(bits.buffer);
  };
  const verdict = REFERENCES[check]({ width, height, input: texels(all[0]), result: texels(all[last]) });
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return verdict;
};

/** The next texture, with the one before it to read. @param {WebGL2RenderingContext} gl @param {Targets} targets @param {number} number */
const aim = (gl, targets, number) => {
  const before = targets.last;
  targets.last = number === 0 ? 0 : before === 1 ? 2 : 1;
  hold(gl, INPUT_UNIT, targets.all[number === 0 ? before : 0]); // never the one that is written
  hold(gl, BEFORE_UNIT, targets.all[before]);
  clear(gl, targets.all[targets.last]);
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.BLEND);
  return targets;
};

/**
 * The canvas, with the fixed stages that the pass asks for.
 * @param {WebGL2RenderingContext} gl @param {CanvasPass} pass @param {Targets | null} targets @param {boolean} first
 */
const aimAtCanvas = (gl, { depth, depthWrite, blend }, targets, first) => {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  if (targets) {
    hold(gl, INPUT_UNIT, targets.all[0]);
    hold(gl, BEFORE_UNIT, targets.all[targets.last]);
  }
  if (first) {
    gl.depthMask(true); // or the depth of the frame before stays
    gl.clearColor(...BACKGROUND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  }
  turnOn(gl, gl.DEPTH_TEST, depth);
  gl.depthMask(depthWrite);
  turnOn(gl, gl.BLEND, blend !== "none");
  if (blend === "add") gl.blendFunc(gl.ONE, gl.ONE);
  else gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  return { width: gl.drawingBufferWidth, height: gl.drawingBufferHeight };
};

/** @param {WebGL2RenderingContext} gl @param {number} what @param {boolean} on */
const turnOn = (gl, what, on) => (on ? gl.enable(what) : gl.disable(what));

/** @param {WebGL2RenderingContext} gl @param {number} unit @param {Target} target */
const hold = (gl, unit, { texture }) => {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
};

/** @param {WebGL2RenderingContext} gl @param {Target} target */
const clear = (gl, { framebuffer }) => {
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.clearBufferuiv(gl.COLOR, 1, [0, 0, 0, 0]);
};

/**
 * Four 32-bit integers a texel: every WebGL 2 can draw into those, and a shader keeps floats in them bit by bit. Float textures need an extension.
 * At output 1, since a shader that also draws onto the canvas has its color at 0.
 * @param {WebGL2RenderingContext} gl @param {{width: number, height: number}} size @returns {Targets}
 */
const makeTargets = (gl, { width, height }) => {
  const all = [0, 1, 2].map(() => {
    const target = { texture: gl.createTexture(), framebuffer: gl.createFramebuffer() };
    hold(gl, INPUT_UNIT, target);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, gl.TEXTURE_2D, target.texture, 0);
    gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1]);
    return target;
  });
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { width, height, all, last: 0 };
};

/** For GLSL ES 1.00, which has no `gl_VertexID`: the numbers of the three corners in an attribute. @param {WebGL2RenderingContext} gl @param {WebGLProgram} program */
const numberVertices = (gl, program) => {
  const at = gl.getAttribLocation(program, "a_vertex");
  if (at < 0) return null;
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 1, 2]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 1, gl.FLOAT, false, 0, 0);
  return buffer;
};

/** @param {WebGL2RenderingContext} gl */
const holdTestPicture = (gl) => {
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  upload(gl, null);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.REPEAT);
};

/**
 * Another image for `u_image`, null for the test picture. Throws what the browser throws where it keeps the pixels from scripts; the texture then
 * holds what it held.
 * @param {WebGL2RenderingContext} gl @param {HTMLImageElement | null} image
 */
export const holdImage = (gl, image) => {
  gl.activeTexture(gl.TEXTURE0);
  upload(gl, image);
};

/** @param {WebGL2RenderingContext} gl @param {HTMLImageElement | null} image */
const upload = (gl, image) => {
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, Boolean(image)); // its first row is its top
  if (image) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, image);
  else gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, IMAGE_SIZE, IMAGE_SIZE, 0, gl.RGBA, gl.UNSIGNED_BYTE, testPicture());
  gl.generateMipmap(gl.TEXTURE_2D);
};
