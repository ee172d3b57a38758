import assert from "node:assert/strict";
import { test } from "node:test";
import { canvasSize, IMAGE_SIZE, parseLog, sayProblem, slidersIn, takeTurn, testPicture } from "../../web/core/shader.js";

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
