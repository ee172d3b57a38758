// What a shader demo knows without a canvas: its constants, its first vertex shader, compile logs, the test picture, whose turn it is.

/** The poster is drawn at this second, and a demo starts there: the picture does not jump when it comes alive. */
export const POSTER_TIME = 1;

/** The poster's pixels. */
export const POSTER_SIZE = { width: 640, height: 360 };

/** Browsers keep 16 contexts per page and lose the oldest without asking; six leave room for the reader's other pages. */
export const LIVE_LIMIT = 6;

/** More pixels per CSS pixel than this cost time and show nothing. */
export const MAX_PIXEL_RATIO = 2;

/** Width and height of the picture that `u_image` holds. */
export const IMAGE_SIZE = 8;

/** Used where a demo has no vertex file: one triangle that covers the canvas, with `v_uv` running from 0 to 1 across it. */
export const FULLSCREEN_VERTEX = `#version 300 es
out vec2 v_uv;
void main() {
  v_uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(v_uv * 2.0 - 1.0, 0.0, 1.0);
}
`;

/** The same in GLSL ES 1.00, for a fragment shader that does not begin with `#version 300 es`: both stages speak one version. */
export const FULLSCREEN_VERTEX_1 = `attribute float a_vertex;
varying vec2 v_uv;
void main() {
  v_uv = vec2(mod(a_vertex, 2.0), floor(a_vertex / 2.0)) * 2.0;
  gl_Position = vec4(v_uv * 2.0 - 1.0, 0.0, 1.0);
}
`;

/**
 * @typedef {"vertex" | "fragment"} Stage
 * @typedef {{vertex: string | null, fragment: string}} ShaderSource  no vertex source: `FULLSCREEN_VERTEX`
 * @typedef {{stage: Stage | "link", line: number | null, message: string}} ShaderProblem  `line` counts from 1, null where none was named
 */

/**
 * A uniform that the reader turns, announced by the comment beside it: `// Pins along each side: 3 to 15 by 1, from 9`.
 * @typedef {{name: string, type: "float" | "int", label: string, from: number, to: number, step: number, start: number}} Slider
 */

/**
 * One drawing of all vertices: into a texture that the next pass reads, or onto the canvas with the fixed stages it asks for.
 * @typedef {{into: "texture"}} TexturePass
 * @typedef {{into: "canvas", depth: boolean, depthWrite: boolean, blend: "none" | "over" | "add"}} CanvasPass
 * @typedef {TexturePass | CanvasPass} Pass
 * @typedef {{passes: Pass[], size: {width: number, height: number} | null}} Plan  the size of the textures, null where there are none
 */

/** @type {Plan} */
const ONE_PASS = { passes: [{ into: "canvas", depth: false, depthWrite: false, blend: "none" }], size: null };

// The rule S032 asks for the same form (src/gpubites/rules/shaders.py).
const PASS = /^\s*\/\/ pass: (?:texture (\d+) x (\d+)(?:, (\d+) times)?|canvas(, depth(?: read)?)?(, blend|, add)?)\s*$/;
const PASS_LIKE = /^\s*\/\/\s*pass\s*:/i;
const SECOND_OUTPUT = /^\s*layout\s*\(\s*location\s*=\s*1\s*\)\s*out\s+(?:\w+p\s+)?uvec4\b/m;
const LARGEST_TEXTURE = 1024;
const MOST_PASSES = 64;

/**
 * The passes of a frame, announced by comments in the fragment shader, in order: `// pass: texture 64 x 64, 7 times`, then `// pass: canvas, depth, blend`.
 * Without any, one onto the canvas.
 * @param {string} fragment @returns {{plan: Plan, problems: ShaderProblem[]}}
 */
export const passesIn = (fragment) => {
  /** @type {Plan} */
  const plan = { passes: [], size: null };
  /** @type {ShaderProblem[]} */
  const problems = [];
  const wrong = (/** @type {string} */ message, /** @type {number | null} */ line = null) =>
    problems.push({ stage: "fragment", line, message });
  for (const [index, text] of fragment.split("\n").entries()) {
    if (!PASS_LIKE.test(text)) continue;
    const read = readPass(text);
    if (typeof read === "string") wrong(read, index + 1);
    else if (read.size && plan.passes.length > 0) wrong("the passes into a texture come first, all in one line", index + 1);
    else {
      plan.passes.push(...read.passes);
      plan.size ??= read.size;
    }
  }
  if (plan.size && plan.passes.at(-1)?.into !== "canvas") wrong("no pass draws onto the canvas");
  if (plan.size && !SECOND_OUTPUT.test(fragment)) wrong("a pass into a texture writes to `layout(location = 1) out uvec4`");
  return { plan: plan.passes.length > 0 ? plan : ONE_PASS, problems };
};

/** One line's passes, or what is wrong with it. @param {string} text @returns {Plan | string} */
const readPass = (text) => {
  const found = PASS.exec(text);
  if (!found) return "a pass reads `texture 64 x 64, 7 times` or `canvas, depth, blend`";
  const [, width, height, times = "1", depth, blend] = found;
  if (!width) {
    const mix = blend === ", add" ? "add" : blend ? "over" : "none";
    return { passes: [{ into: "canvas", depth: Boolean(depth), depthWrite: depth === ", depth", blend: mix }], size: null };
  }
  const size = { width: Number(width), height: Number(height) };
  if (!within(size.width, LARGEST_TEXTURE) || !within(size.height, LARGEST_TEXTURE))
    return `a texture has 1 to ${LARGEST_TEXTURE} texels a side`;
  if (!within(Number(times), MOST_PASSES)) return `1 to ${MOST_PASSES} passes go into a texture`;
  return { passes: Array(Number(times)).fill({ into: "texture" }), size };
};

/** @param {number} count @param {number} most */
const within = (count, most) => count >= 1 && count <= most;

/** What is computed again on the CPU, announced by a comment in the fragment shader: `// check: sum`. @param {string} fragment */
export const checkIn = (fragment) => /^\s*\/\/ check: (\w+)\s*$/m.exec(fragment)?.[1] ?? null;

// The rule S030 asks for the same form (src/gpubites/rules/shaders.py).
const NUMBER = "(-?\\d+(?:\\.\\d+)?)";
const SLIDER = new RegExp(
  `^[ \\t]*uniform[ \\t]+(?:\\w+p[ \\t]+)?(float|int)[ \\t]+(u_\\w+);[ \\t]*//[ \\t]*(.+): ${NUMBER} to ${NUMBER} by ${NUMBER}, from ${NUMBER}[ \\t]*$`,
  "gm",
);

/** Those of both stages, each name once. @param {ShaderSource} source @returns {Slider[]} */
export const slidersIn = ({ vertex, fragment }) => {
  const found = [...`${vertex ?? ""}\n${fragment}`.matchAll(SLIDER)].map(([, type, name, label, ...numbers]) => {
    const [from, to, step, start] = numbers.map(Number);
    return { name, type: /** @type {Slider["type"]} */ (type), label, from, to, step, start };
  });
  return [...new Map(found.map((slider) => [slider.name, slider])).values()];
};

// The rule S030 asks for the same form.
const IMAGES = /^[ \t]*uniform[ \t]+(?:\w+p[ \t]+)?sampler2D[ \t]+u_image;[ \t]*\/\/[ \t]*Image: (test picture(?:, [a-z]+\.svg)+)[ \t]*$/m;

/** What the reader may have `u_image` hold, where its comment says so: `// Image: test picture, plain.svg`. Files of the site. @param {string} fragment */
export const imagesIn = (fragment) => IMAGES.exec(fragment)?.[1].split(", ") ?? [];

/**
 * The problems in a compiler's log. Chrome, Firefox and Safari all compile through ANGLE, which writes `ERROR: 0:6: 'y' : undeclared identifier`.
 * @param {ShaderProblem["stage"]} stage @param {string | null} log @returns {ShaderProblem[]}
 */
export const parseLog = (stage, log) => {
  // Some drivers close the log with a zero byte.
  const text = (log ?? "").replaceAll("\0", "").trim();
  const problems = [...text.matchAll(/^ERROR: (?:\d+:(\d+|\?) ?: )?(.+)$/gm)].map(([, line, message]) => ({
    stage,
    line: Number(line) || null,
    message: message
      .trim()
      .replace(/^'' : /, "")
      .replaceAll(" : ", ": "),
  }));
  if (problems.length > 0) return problems;
  return [{ stage, line: null, message: text || "the driver refused it and gave no reason" }];
};

/** One sentence for the status line. @param {ShaderProblem} problem */
export const sayProblem = ({ stage, line, message }) => {
  if (stage === "link") return `The two stages do not fit together: ${message}`;
  const where = line === null ? "" : `, line ${line}`;
  return `${stage === "vertex" ? "Vertex" : "Fragment"} shader${where}: ${message}`;
};

/** RGBA texels of `u_image`, 8 by 8, no two alike: red grows with x, green with y, blue is a checkerboard. */
export const testPicture = () => {
  const texels = new Uint8Array(IMAGE_SIZE * IMAGE_SIZE * 4);
  for (let y = 0; y < IMAGE_SIZE; y++) {
    for (let x = 0; x < IMAGE_SIZE; x++) {
      const step = 255 / (IMAGE_SIZE - 1);
      texels.set([x * step, y * step, (x + y) % 2 === 0 ? 64 : 192, 255].map(Math.round), (y * IMAGE_SIZE + x) * 4);
    }
  }
  return texels;
};

/**
 * Device pixels for a box of CSS pixels: the ratio is capped, and nothing is smaller than a pixel.
 * @param {number} width @param {number} height @param {number} ratio
 */
export const canvasSize = (width, height, ratio) => {
  const scale = Math.min(ratio || 1, MAX_PIXEL_RATIO);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/**
 * Who holds a context once `next` has one, the one that started last at the end, and who gives theirs up for it.
 * @template T @param {readonly T[]} holders @param {T} next @param {number} [limit]
 */
export const takeTurn = (holders, next, limit = LIVE_LIMIT) => {
  const line = [...holders.filter((holder) => holder !== next), next];
  return { holders: line.slice(-limit), released: line.slice(0, -limit) };
};
