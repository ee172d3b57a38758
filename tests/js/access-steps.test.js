import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersIn, sayStep, stepFrom } from "../../web/core/access-steps.js";

test("ranges are read as numbers", () => {
  assert.deepEqual(numbersIn("0-2, 5"), [0, 1, 2, 5]);
  assert.deepEqual(numbersIn("31"), [31]);
});

test("the whole picture stands between the last step and the first", () => {
  assert.equal(stepFrom(0, 1, 4), 1);
  assert.equal(stepFrom(4, 1, 4), 0);
  assert.equal(stepFrom(0, -1, 4), 4);
});

test("a step says whom it serves, and a request that is through says so", () => {
  assert.equal(sayStep(2, "sector", ["0-7", "8-15"]), "Sector 2 of 2: lanes 8-15.");
  assert.equal(sayStep(1, "wavefront", ["3"]), "Wavefront 1 of 1: lane 3.");
  assert.equal(sayStep(3, "sector", ["0-7", "8-15"]), "All 2 sectors are served.");
  assert.equal(sayStep(2, "wavefront", ["3"]), "Its one wavefront is served.");
});
