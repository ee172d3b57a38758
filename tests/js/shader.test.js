import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canvasSize,
  checkIn,
  IMAGE_SIZE,
  imagesIn,
  parseLog,
  passesIn,
  sayProblem,
  slidersIn,
  takeTurn,
  testPicture,
} from "../../web/core/shader.js";
import { REFERENCES } from "../../web/core/shader-reference.js";

test("a compile log becomes one problem per line, with the line's number", () => {
  const log = "ERROR: 0:6: 'y' : undeclared identifier\nERROR: 0:9: '' : syntax error\n\0";
  assert.deepEqual(parseLog("fragment", log), [
    { stage: "fragment", line: 6, message: "'y': undeclared identifier" },
    { stage: "fragment", line: 9, message: "syntax error" },
  ]);
});

test("a warning beside an error is no problem", () => {
  const log = "WARNING: 0:2: 'x' : unused\nERROR: 0:3: 'assign' : cannot convert";
  assert.deepEqual(
    parseLog("vertex", log).map(({ line }) => line),
    [3],
  );
});

test("an error without a line still says what is wrong", () => {
  assert.deepEqual(parseLog("vertex", "ERROR: 0:? : '' : too many uniforms"), [
    { stage: "vertex", line: null, message: "too many uniforms" },
  ]);
  assert.equal(parseLog("link", "Varying `v_uv` has no output.\n")[0].message, "Varying `v_uv` has no output.");
});

test("an empty log is a problem all the same", () => {
  assert.equal(parseLog("link", "").length, 1);
  assert.match(parseLog("link", null)[0].message, /no reason/);
});

test("a problem is said with its stage and line", () => {
  assert.equal(sayProblem({ stage: "fragment", line: 6, message: "syntax error" }), "Fragment shader, line 6: syntax error");
  assert.equal(sayProblem({ stage: "vertex", line: null, message: "too long" }), "Vertex shader: too long");
  assert.match(sayProblem({ stage: "link", line: null, message: "v_uv" }), /two stages.*v_uv/);
});

test("no two texels of the test picture are alike, and all are opaque", () => {
  const texels = testPicture();
  const colors = Array.from({ length: IMAGE_SIZE ** 2 }, (_, at) => texels.slice(at * 4, at * 4 + 4).join(" "));
  assert.equal(new Set(colors).size, 64);
  assert.ok(colors.every((color) => color.endsWith(" 255")));
});

test("device pixels are capped at two per CSS pixel, and never none", () => {
  assert.deepEqual(canvasSize(320, 180, 3.5), { width: 640, height: 360 });
  assert.deepEqual(canvasSize(320, 180, 1.25), { width: 400, height: 225 });
  assert.deepEqual(canvasSize(0, 0, 2), { width: 1, height: 1 });
});

test("the demo that started first gives up its context for the newest", () => {
  assert.deepEqual(takeTurn(["a", "b"], "c", 2), { holders: ["b", "c"], released: ["a"] });
});

test("a demo that starts again is the newest and displaces nobody", () => {
  assert.deepEqual(takeTurn(["a", "b"], "a", 2), { holders: ["b", "a"], released: [] });
});

test("a uniform that announces itself gets a slider, whichever stage holds it", () => {
  const vertex = "uniform float u_near; // Nearer: 0 to 2.5 by 0.1, from 1\nuniform float u_time;\n";
  const fragment =
    "  uniform highp int u_mode; // 0 near, 1 far: -1 to 1 by 1, from 0\n// uniform float u_no; // No: 0 to 1 by 1, from 0\n";
  const [near, mode, ...rest] = slidersIn({ vertex, fragment: fragment + vertex });
  assert.deepEqual(near, { name: "u_near", type: "float", label: "Nearer", from: 0, to: 2.5, step: 0.1, start: 1 });
  assert.deepEqual([mode.name, mode.type, mode.label, mode.from], ["u_mode", "int", "0 near, 1 far", -1]);
  assert.deepEqual(rest, []);
  assert.deepEqual(slidersIn({ vertex: null, fragment: "uniform float u_x; // no range\n" }), []);
});

test("images to choose from are named in the comment of u_image, and only files of the site", () => {
  assert.deepEqual(imagesIn("uniform sampler2D u_image; // Image: test picture, plain.svg, html.svg\n"), [
    "test picture",
    "plain.svg",
    "html.svg",
  ]);
  for (const rest of [
    "",
    "// wrap REPEAT",
    "// Image: plain.svg",
    "// Image: test picture, ../x.svg",
    "// Image: test picture, https://a.svg",
  ])
    assert.deepEqual(imagesIn(`uniform sampler2D u_image; ${rest}`), [], rest);
});

const OUTPUT = "layout(location = 1) out uvec4 next;\n";

test("passes stand in comments: into a texture, then onto the canvas with its fixed stages; without any there is one", () => {
  const { plan, problems } = passesIn(
    `// pass: texture 64 x 32, 3 times\n// pass: canvas, depth\n// pass: canvas, depth read, add\n${OUTPUT}`,
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(plan.size, { width: 64, height: 32 });
  assert.deepEqual(plan.passes, [
    ...Array(3).fill({ into: "texture" }),
    { into: "canvas", depth: true, depthWrite: true, blend: "none" },
    { into: "canvas", depth: true, depthWrite: false, blend: "add" },
  ]);
  assert.deepEqual(passesIn("void main() {}\n").plan.passes, [{ into: "canvas", depth: false, depthWrite: false, blend: "none" }]);
});

test("a pass that cannot be drawn is a problem at its line", () => {
  // The rule S032 finds the same (tests/unit/test_shader_rules.py).
  const seven = "// pass: texture 64 x 64, 7 times\n";
  for (const [text, line, words] of /** @type {const} */ ([
    ["// pass: texture 64 by 64\n", 1, /reads/],
    ["// pass: canvas, blend, depth\n", 1, /reads/],
    [`// pass: canvas\n${seven}// pass: canvas\n${OUTPUT}`, 2, /come first/],
    ["// pass: texture 64 x 2048\n", 1, /1 to 1024 texels/],
    ["// pass: texture 64 x 64, 65 times\n", 1, /1 to 64 passes/],
    [`${seven}${OUTPUT}`, null, /no pass draws onto the canvas/],
    [`${seven}// pass: canvas\nout uvec4 next;\n`, null, /location = 1/],
  ])) {
    const [problem] = passesIn(text).problems;
    assert.equal(problem?.line, line, text);
    assert.match(problem.message, words);
  }
});

test("the CPU's sum agrees with the right one, and not with one that lost a value", () => {
  assert.equal(checkIn("// check: sum\n"), "sum");
  const input = new Float32Array(64 * 64 * 4).map((_, at) => (at % 4 === 0 ? 0.25 + ((at * 7919) % 1013) / 1013 : 9));
  const total = input.reduce((sum, x, at) => (at % 4 === 0 ? sum + x : sum), 0);
  const judge = (/** @type {number} */ first) => REFERENCES.sum({ width: 64, height: 64, input, result: new Float32Array([first]) });
  assert.ok(judge(total).agrees);
  assert.match(judge(total).words, /^Sum of the input: /);
  assert.equal(judge(total - 0.25).agrees, false);
  assert.equal(judge(Number.NaN).agrees, false);
});

test("the CPU's matrix product agrees with the right one, and not with one that is off in one element or transposed", () => {
  // A = [[1, 2], [3, 4]], B = [[5, 6], [7, 8]].
  const input = new Float32Array([1, 5, 0, 0, 2, 6, 0, 0, 3, 7, 0, 0, 4, 8, 0, 0]);
  const judge = (/** @type {number[]} */ c) =>
    REFERENCES.product({ width: 2, height: 2, input, result: new Float32Array(c.flatMap((x) => [x, 0, 0, 0])) });
  assert.ok(judge([19, 22, 43, 50]).agrees);
  assert.match(judge([19, 22, 43, 51]).words, /1 of them are off/);
  assert.equal(judge([19, 43, 22, 50]).agrees, false);
  assert.equal(judge([19, 22, 43, Number.NaN]).agrees, false);
});
