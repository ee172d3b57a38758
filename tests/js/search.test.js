import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { withLatest } from "../../web/core/recent-searches.js";
import { markMatches } from "../../web/core/search/mark.js";
import { readQuery } from "../../web/core/search/query.js";
import { explained, rank } from "../../web/core/search/rank.js";
import { editsBetween, forgiven } from "../../web/core/search/spelling.js";
import { folded, rootOf, wordsOf } from "../../web/core/search/words.js";

const stop = new Set("a and in is the to on of for was".split(" "));
const asked = (text) => readQuery(text, stop).words.map(({ word }) => word);

test("a query falls into words as the texts of the index do", async () => {
  const cases = JSON.parse(await readFile(new URL("../search/words.json", import.meta.url), "utf8"));
  for (const [text, words] of cases) assert.deepEqual(wordsOf(text, stop), words, text);
});

test("singular, and American spelling", () => {
  const pairs = {
    kernels: "kernel",
    batches: "batch",
    caches: "cache",
    latencies: "latency",
    optimised: "optimized",
    quantisation: "quantization",
    colour: "color",
    neighbours: "neighbor",
    labelled: "labeled",
    grey: "gray",
  };
  for (const [word, same] of Object.entries(pairs)) assert.equal(folded(word), folded(same), word);
  for (const word of ["bus", "class", "axis", "gpu", "cuda"]) assert.equal(folded(word), word);
});

test("words of one root", () => {
  for (const group of [
    ["quantize", "quantized", "quantization", "quantising"],
    ["coalescing", "coalesced"],
    ["batching", "batched", "batch"],
    ["tiling", "tiled"],
  ]) {
    assert.equal(new Set(group.map(rootOf)).size, 1, group.map(rootOf).join(" "));
  }
  assert.notEqual(rootOf("training"), rootOf("string"));
});

test("edits: insert, delete, replace, and two letters swapped", () => {
  assert.equal(editsBetween("kernel", "kernel", 2), 0);
  assert.equal(editsBetween("kernle", "kernel", 2), 1);
  assert.equal(editsBetween("kenel", "kernel", 2), 1);
  assert.equal(editsBetween("kerrnel", "kernel", 2), 1);
  assert.equal(editsBetween("kermel", "kernel", 2), 1);
  assert.equal(editsBetween("confltics", "conflicts", 2), 2);
  assert.ok(editsBetween("warp", "occupancy", 2) > 2, "far away is only far away");
});

test("one edit is forgiven up to seven letters, two beyond", () => {
  assert.deepEqual(["sm", "gup", "kernels", "coalesce"].map(forgiven), [0, 1, 1, 2]);
});

test("of a pasted message what differs from run to run is left out", () => {
  assert.deepEqual(
    asked('File "/home/ada/train.py", line 12, in step\nRuntimeError: invalid device at 0x7f3a2b (pid 4711) on 10.0.0.7:29500'),
    ["runtime", "error", "invalid", "device", "at"],
  );
  assert.deepEqual(asked("2026-11-30 12:00:01.123 “NCCL WARN” [/opt/nccl/src/init.cc:1206] unhandled"), ["nccl", "warn", "unhandled"]);
  assert.deepEqual(asked("\u001b[31mCUDA error\u001b[0m"), ["cuda", "error"]);
});

test("of a page that was pasted, the lines that complain are looked up first, wherever they stand", () => {
  const frames = Array.from(
    { length: 60 },
    (_, line) => `  File "/opt/net${line}.py", line ${line}, in forward\n    return layer${line}(state)\n           ~~~^^^`,
  );
  const traceback = ["Traceback (most recent call last):", ...frames, "RuntimeError: no kernel image"].join("\n");
  assert.deepEqual(asked(traceback), ["runtime", "error", "no", "kernel", "image"]);
  assert.deepEqual(asked(traceback.replace(/^/gm, "[rank0]: ").replaceAll("\n", "\r\n")), ["runtime", "error", "no", "kernel", "image"]);
  const log = Array.from({ length: 90 }, (_, line) => `INFO step ${line} loss${line} written`);
  assert.deepEqual(asked([...log, "docker: could not select device driver"].join("\n")).slice(0, 6), [
    "docker",
    "could",
    "not",
    "select",
    "device",
    "driver",
  ]);
});

test("data without a space is no word", () => {
  assert.deepEqual(asked(`${"QUJD".repeat(5000)}== image rejected`), ["image", "rejected"]);
});

test("resource names are no paths, and a query of nothing but a path is looked up", () => {
  assert.deepEqual(asked("Insufficient nvidia.com/gpu"), ["insufficient", "nvidia", "com", "gpu"]);
  assert.deepEqual(asked("/dev/shm/"), ["dev", "shm"]);
});

test("numbers help and are not missed; the last word may be half typed", () => {
  assert.deepEqual(readQuery("overflow 65504 flo", stop).words, [
    { word: "overflow", optional: false, last: false },
    { word: "65504", optional: true, last: false },
    { word: "flo", optional: false, last: true },
  ]);
  assert.equal(readQuery("overflow ", stop).words[0].last, false);
});

test("a part of a bite is named, not looked up", () => {
  assert.deepEqual(readQuery("flash attention red flags", stop).part, "red-flags");
  assert.deepEqual(asked("flash attention red flags"), ["flash", "attention"]);
  assert.deepEqual(asked("red flags"), ["red", "flags"]);
});

test("stop words alone are better than nothing", () => assert.deepEqual(asked("to the"), ["to", "the"]));

// --- ranking -----------------------------------------------------------------------------------------------------------

// Three bites of four entries each: the name in the title, the rest of it, the question, a keyword.
const entries = (bite) => ({ name: 4 * bite, rest: 4 * bite + 1, question: 4 * bite + 2, keyword: 4 * bite + 3 });
const [first, second, third] = [0, 1, 2].map(entries);
const each = (value) => Array.from({ length: 12 }, (_, entry) => value(entry));
const shape = {
  owner: each((entry) => Math.floor(entry / 4)),
  place: each((entry) => entry % 4),
  length: each(() => 2),
  documents: 3,
  bites: 3,
};
const known = (word, entries, text = []) => ({ word, folded: word, root: word, strong: entries.length > 0, bites: 1, entries, text });
const reading = (number, slots, more = {}) => ({
  asked: [number],
  slots: slots.map((one) => [{ known: one, quality: 1 }]),
  quality: 1,
  how: "word",
  said: "",
  ...more,
});
const ranked = (readings, numbers = [0], how = shape) => rank(readings, numbers, how).map(({ document }) => document);

test("title before question before keyword before text", () => {
  const whole = (...places) => [reading(0, [known("warp", places)]), reading(1, [known("lane", places)])];
  assert.deepEqual(ranked(whole(third.name, second.question, first.keyword), [0, 1]), [2, 1, 0]);
  assert.deepEqual(ranked([reading(0, [known("warp", [second.keyword], [{ document: 0, often: 3, part: 0 }])])]), [1, 0]);
});

test("more of the query before more often one word of it", () => {
  const readings = [
    reading(0, [known("warp", [first.keyword, second.name, second.rest, second.question])]),
    reading(1, [known("lane", [first.keyword])]),
  ];
  assert.deepEqual(ranked(readings, [0, 1]), [0, 1]);
});

test("the more of a keyword is there, the more its words count", () => {
  const lengths = { ...shape, length: each((entry) => (entry === first.keyword ? 8 : 2)) };
  const places = [first.keyword, second.keyword];
  assert.deepEqual(ranked([reading(0, [known("warp", places)]), reading(1, [known("lane", places)])], [0, 1], lengths), [1, 0]);
});

test("a word as typed before a slip of it", () => {
  const candidates = [
    { known: known("wrap", [first.name]), quality: 0.75 },
    { known: known("warp", [second.name]), quality: 1 },
  ];
  assert.deepEqual(ranked([{ ...reading(0, []), slots: [candidates] }]), [1, 0]);
});

test("the words of a phrase count together, in one entry more than apart", () => {
  const phrase = (shared, memory) => reading(0, [known("shared", shared), known("memory", memory)], { how: "same", quality: 0.9 });
  assert.deepEqual(ranked([phrase([first.keyword, second.keyword], [first.keyword, second.question])]), [0, 1]);
  assert.deepEqual(ranked([phrase([first.keyword], [second.keyword])]), [], "half a phrase is none");
});

test("a rare word counts more than one that stands everywhere", () => {
  const everywhere = { ...known("gpu", [first.keyword, second.keyword, third.keyword]), bites: 3 };
  const [{ document, score }, next] = rank([reading(0, [everywhere]), reading(1, [known("lane", [third.question])])], [0, 1], shape);
  assert.equal(document, 2);
  assert.ok(score > 2 * next.score, "although a question counts less than a keyword");
});

test("what is no bite is a hit where it holds all of the query", () => {
  const oneBite = { ...shape, bites: 1 };
  const [warp, lane] = [known("warp", [first.name, second.name, third.name]), known("lane", [third.question])];
  assert.deepEqual(ranked([reading(0, [warp]), reading(1, [lane])], [0, 1], oneBite), [2, 0]);
});

test("what was found, and where, comes with the hit", () => {
  const [hit] = rank([reading(0, [known("warp", [first.keyword], [{ document: 0, often: 1, part: 4 }])])], [0], shape);
  assert.equal(hit.why.entry, first.keyword);
  assert.deepEqual([...hit.why.words], ["warp"]);
  assert.deepEqual([hit.covered, hit.why.inTitle], [1, 0]);
  assert.equal(rank([reading(0, [known("warp", [first.rest])])], [0], shape)[0].why.inTitle, 1);
});

test("a ranking takes nothing over from the one before, and leaves an explained hit as it was", () => {
  const asked = [
    reading(0, [known("warp", [first.keyword], [{ document: 0, often: 1, part: 4 }])]),
    reading(1, [known("tile", [first.rest])]),
  ];
  const alone = rank(asked.slice(0, 1), [0], { ...shape }).map(explained);
  const wide = rank(asked, [0, 1], shape).map(explained);
  const before = structuredClone(wide);
  assert.deepEqual(rank(asked.slice(0, 1), [0], shape).map(explained), alone);
  assert.deepEqual(wide, before);
  const [unexplained] = rank(asked, [0, 1], shape);
  assert.deepEqual(rank(asked, [0, 1], shape).map(explained), before);
  assert.throws(() => unexplained.why, /after another ranking/);
});

test("matches are marked at the beginning of a word, the longest first", () => {
  assert.deepEqual(markMatches("Bank conflicts", ["bank"]), [
    { text: "Bank", matched: true },
    { text: " conflicts", matched: false },
  ]);
  const marked = (/** @type {string} */ text, /** @type {string[]} */ words) =>
    markMatches(text, words).map((stretch) => (stretch.matched ? `[${stretch.text}]` : stretch.text));
  assert.deepEqual(marked("Sharing: SHAREd share", ["share", "shared"]), ["Sharing: ", "[SHAREd]", " ", "[share]"]);
  assert.deepEqual(marked("(2.5 GB) of 2.57, İ2.5", ["2.5", "5"]), ["(", "[2.5]", " GB) of ", "[2.5]", "7, İ2.5"]);
  assert.deepEqual(marked("", ["in"]), []);
  assert.deepEqual(markMatches("Containers", ["in"]), [{ text: "Containers", matched: false }]);
});

test("the latest search comes first, each once, six at most", () => {
  assert.deepEqual(withLatest(["warp", "tile"], "Tile"), ["Tile", "warp"]);
  assert.equal(withLatest(["1", "2", "3", "4", "5", "6"], "7").length, 6);
});
