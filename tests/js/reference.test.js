import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnMap, relationsOf } from "../../web/core/map-relations.js";
import { placeNote } from "../../web/core/note-place.js";

const VIEW = { width: 400, height: 800 };
const NOTE = { width: 200, height: 100 };

test("a note stands under its word, from the word's left edge", () => {
  assert.deepEqual(placeNote({ left: 50, top: 100, bottom: 120 }, NOTE, VIEW), { left: 50, top: 126 });
});

test("a note without room below stands above", () => {
  assert.deepEqual(placeNote({ left: 50, top: 700, bottom: 720 }, NOTE, VIEW), { left: 50, top: 594 });
});

test("a note without room on either side stays below, where the page scrolls to it", () => {
  assert.equal(placeNote({ left: 50, top: 60, bottom: 80 }, NOTE, { width: 400, height: 150 }).top, 86);
});

test("a note never crosses the left or the right edge", () => {
  assert.equal(placeNote({ left: 380, top: 100, bottom: 120 }, NOTE, VIEW).left, 192);
  assert.equal(placeNote({ left: -30, top: 100, bottom: 120 }, NOTE, VIEW).left, 8);
  assert.equal(placeNote({ left: 100, top: 100, bottom: 120 }, { width: 500, height: 50 }, VIEW).left, 8);
});

const PREREQS = new Map([
  ["sm", []],
  ["warp", ["sm"]],
  ["memory", ["sm"]],
  ["coalescing", ["memory", "warp"]],
  ["tiling", ["coalescing"]],
  ["gemm", ["tiling"]],
]);

test("before a bite stands everything it rests on, after it what names it", () => {
  const { before, after } = relationsOf("coalescing", PREREQS);
  assert.deepEqual([...before].sort(), ["memory", "sm", "warp"]);
  assert.deepEqual([...after], ["tiling"]);
});

test("no bite has no relations, and a circle ends", () => {
  assert.deepEqual(relationsOf("", PREREQS), { before: new Set(), after: new Set() });
  const circle = new Map([
    ["a", ["b"]],
    ["b", ["a"]],
  ]);
  assert.deepEqual(relationsOf("a", circle), { before: new Set(["b"]), after: new Set(["b"]) });
});

test("a bite for all roles fits each role, but not another section", () => {
  const bite = { section: "hw", roles: ["all"] };
  assert.ok(isOnMap(bite, { section: "", role: "edge" }));
  assert.ok(!isOnMap(bite, { section: "gfx", role: "" }));
  assert.ok(!isOnMap({ section: "hw", roles: ["kernel"] }, { section: "hw", role: "edge" }));
});
