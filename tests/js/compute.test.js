import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, report, rightOutput } from "../../web/core/compute.js";

/** @typedef {import("../../web/core/compute.js").Plan} Plan */

/** @param {Partial<Plan["check"]>} check @param {number} count @param {number} [below] @returns {Plan} */
const plan = (check, count, below = 4) => ({
  buffers: [
    { role: "input", name: "one", count: 4, type: "u32", below },
    { role: "input", name: "two", count: 4, type: "u32", below },
    { role: "output", name: "out", count, type: "u32", below: 0 },
  ],
  passes: [
    { entry: "first", workgroups: [1, 1] },
    { entry: "then", workgroups: [2, 3] },
  ],
  check: { output: "out", what: "sum", inputs: ["one"], ...check },
});

const [one, two] = [0, 1].map((place) => [...fill(plan({}, 1).buffers[place], place)]);

test("an input holds whole numbers under its bound, the same each time, another one other numbers", () => {
  assert.ok([...one, ...two].every((value) => Number.isInteger(value) && value >= 0 && value < 4));
  assert.deepEqual([...fill(plan({}, 1).buffers[0], 0)], one);
  assert.notDeepEqual([...fill({ ...plan({}, 1).buffers[0], count: 50 }, 0)], [...fill({ ...plan({}, 1).buffers[0], count: 50 }, 1)]);
});

test("what is right is computed on the CPU", () => {
  const [a, b, c, d] = one;
  assert.deepEqual([...rightOutput(plan({}, 1))], [a + b + c + d]);
  assert.deepEqual([...rightOutput(plan({ what: "prefix sum" }, 4))], [a, a + b, a + b + c, a + b + c + d]);
  assert.deepEqual(
    [...rightOutput(plan({ what: "histogram" }, 4))],
    [0, 1, 2, 3].map((bin) => one.filter((value) => value === bin).length),
  );
  const [e, f, g, h] = two;
  const product = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
  assert.deepEqual([...rightOutput(plan({ what: "matrix product", inputs: ["one", "two"] }, 4))], product);
});

test("an outcome is said with its passes and its verdict", () => {
  const scan = plan({ what: "prefix sum" }, 4);
  const right = rightOutput(scan);
  const said = report(scan, right);
  assert.ok(said.right);
  assert.equal(said.text, `first: 1 workgroup\nthen: 2 x 3 workgroups\nout: ${[...right].join(" ")}\nAll 4 values equal the CPU's.\n`);
  const wrong = right.map((value, index) => (index > 1 ? value + 1 : value));
  const told = report(scan, wrong);
  assert.ok(!told.right);
  assert.match(told.text, new RegExp(`2 of 4 values differ from the CPU's\\.\nout\\[2\\] is ${wrong[2]}, the CPU says ${right[2]}\\.\n$`));
});

test("not a number is not equal to anything", () => {
  const sum = { ...plan({}, 1) };
  assert.ok(!report(sum, new Float32Array([Number.NaN])).right);
});
