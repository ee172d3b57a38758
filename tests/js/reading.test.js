import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, readChoice, writeChoice } from "../../web/core/filter.js";
import { isPage } from "../../web/core/navigate.js";
import { choiceIsRight, drawVariant, numberIsRight, outputIsRight, readNumber, unveil } from "../../web/core/quiz.js";

test("a number is read as people type it", () => {
  const typed = {
    12.5: 12.5,
    "~12.5": 12.5,
    "1E-3": 0.001,
    "12,5": 12.5,
    " 1,024 ": 1024,
    "1 024": 1024,
    "-3": -3,
    "1e3": 1000,
    "1,234,567": 1234567,
    ".5": 0.5,
    "0,125": 0.125,
    "-0,250": -0.25,
    "12,345,678": 12345678,
    "1/3": 1 / 3,
    "\u22123": -3,
  };
  for (const [text, value] of Object.entries(typed)) assert.equal(readNumber(text, "ms"), value, text);
  for (const text of ["", " ", "about ten", "%", "NaN", "Infinity", "1e999", "1/0", "-", ".", "2^20", "3*4", "1.000,5", "1.2.3", "12-13"]) {
    for (const unit of ["ms", ""]) assert.equal(readNumber(text, unit), null, `${text} in ${unit}`);
  }
});

test("a unit may be typed too, and another one is asked again, not taken for this one", () => {
  for (const [text, unit] of [
    ["12.5 %", "%"],
    ["12.5 percent", "%"],
    ["12.5ms", "ms"],
    ["12.5 gb", "GB/s"],
    ["12.5x", "times"],
    ["12.5 \u00d7", "times"],
    ["12.5 FLOPs/byte", "FLOP/byte"],
    ["12.5 request/s", "requests/s"],
    ["12.5 pass", "passes"],
    ["12.5 thousand tokens/s", "thousand tokens/s"],
    ["12.5 blocks", ""],
  ]) {
    assert.equal(readNumber(text, unit), 12.5, text);
  }
  for (const [text, unit] of [
    ["12.5 s", "ms"],
    ["12.5 us", "ms"],
    ["12.5 GB", "GiB"],
    ["12.5 KB", "KiB"],
    ["12.5 tokens/s", "thousand tokens/s"],
    ["12.5 %", "times"],
    ["12.5 m", "s"],
  ]) {
    assert.equal(readNumber(text, unit), null, text);
  }
});

test("a number is right within its tolerance, edges included", () => {
  assert.ok(numberIsRight(12.6, 12.5, 0.1));
  assert.ok(!numberIsRight(12.61, 12.5, 0.1));
  assert.ok(numberIsRight(24, 24, 0));
});

test("a choice is right when it is whole and nothing more", () => {
  assert.ok(choiceIsRight([true, false, true], [true, false, true]));
  assert.ok(!choiceIsRight([true, false, false], [true, false, true]));
  assert.ok(!choiceIsRight([true, true, true], [true, false, true]));
});

const bite = { level: "beginner", kind: "question", roles: ["kernel"], run: true };
const any = { level: "", kind: "", role: "", run: false };

test("a bite for all fits every role", () => {
  assert.ok(fits({ ...bite, roles: ["all"] }, { ...any, role: "infra" }));
  assert.ok(!fits(bite, { ...any, role: "infra" }));
  assert.ok(!fits({ ...bite, run: false }, { ...any, run: true }));
});

test("a choice survives the address, and the rest of the address survives the choice", () => {
  const choice = { level: "advanced", kind: "story", role: "kernel", run: true };
  const href = writeChoice("https://example.org/s/?from=mail#x", choice);
  assert.deepEqual(readChoice(new URL(href).search), choice);
  assert.ok(href.includes("from=mail") && href.endsWith("#x"));
  assert.equal(writeChoice(href, any), "https://example.org/s/?from=mail#x");
});

test("only pages of this site are swapped in", () => {
  const root = new URL("https://example.org/gpu-bites/");
  const page = (address) => isPage(new URL(address, root), root);
  assert.ok(page("b/coalescing/"));
  assert.ok(page("b/coalescing/?x=1#quiz"));
  assert.ok(!page("assets/third-party-licenses.txt"));
  assert.ok(!page("/other-project/"));
  assert.ok(!page("https://example.com/gpu-bites/"));
});

test("the veil of the page is lifted by the question's id", () => {
  // tests/unit/test_settled.py makes the same text.
  assert.deepEqual(unveil("KnZDQB9PRA9NUx1PQA88XXZQXR08LA==", "q-a"), [
    ["12.5", "0.1"],
    [1, 0],
  ]);
});

test("everybody gets the same variant on a day, another one at the next attempt, and all of them in time", () => {
  assert.equal(drawVariant("q-x", "2026-11-30", 0, 8), drawVariant("q-x", "2026-11-30", 0, 8));
  for (const many of [4, 7, 12]) {
    const attempts = Array.from({ length: many }, (_, attempt) => drawVariant("q-x", "2026-11-30", attempt, many));
    assert.equal(new Set(attempts).size, many, "no variant twice before all were asked");
    const days = Array.from({ length: 60 }, (_, day) => drawVariant("q-x", new Date(day * 86_400_000).toISOString().slice(0, 10), 0, many));
    assert.equal(new Set(days).size, many, `each of ${many} on some day of sixty`);
  }
});

test("an output is right whatever its blanks and capitals, its numbers within the tolerance", () => {
  const printed = "PASS saxpy: 10000 elements, 0.25 wrong";
  for (const typed of [printed, "pass  saxpy:10,000 elements,  0.25wrong", "PASS saxpy: 10000 elements, 0.26 wrong"])
    assert.equal(outputIsRight(typed, printed, 0.02), true, typed);
  for (const typed of [
    "",
    "PASS saxpy: 10000 elements",
    "FAIL saxpy: 10000 elements, 0.25 wrong",
    "PASS saxpy: 10000 elements, 0.28 wrong",
  ])
    assert.equal(outputIsRight(typed, printed, 0.02), false, typed);
  assert.equal(outputIsRight("-3", "\u22123", 0), true);
  assert.equal(outputIsRight("3", "-3", 0), false);
});
