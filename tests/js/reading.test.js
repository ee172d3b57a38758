import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, readChoice, writeChoice } from "../../web/core/filter.js";
import { isPage } from "../../web/core/navigate.js";
import { choiceIsRight, numberIsRight, readNumber } from "../../web/core/quiz.js";

test("a number is read as people type it", () => {
  const typed = {
    12.5: 12.5,
    "12,5": 12.5,
    " 1,024 ": 1024,
    "1 024": 1024,
    "12.5 %": 12.5,
    "-3": -3,
    "1e3": 1000,
    "1,234,567": 1234567,
    ".5": 0.5,
    "0,125": 0.125,
    "-0,250": -0.25,
    "12,345,678": 12345678,
    "1/3": 1 / 3,
    "1 / 8 FLOP/byte": 0.125,
    "33.25 requests/s": 33.25,
    "\u22123": -3,
  };
  for (const [text, value] of Object.entries(typed)) assert.equal(readNumber(text), value, text);
  for (const text of ["", "about ten", "%"]) assert.equal(readNumber(text), null, text);
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
