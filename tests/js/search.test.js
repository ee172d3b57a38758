import assert from "node:assert/strict";
import { test } from "node:test";
import { createSearch, markMatches } from "../../web/core/search.js";

const bite = (slug, title, more = {}) => ({
  slug,
  title,
  question: "",
  keywords: [],
  level: "beginner",
  kind: "question",
  section: "mem",
  sectionName: "Memory",
  roles: ["all"],
  run: false,
  url: `b/${slug}/`,
  text: "",
  ...more,
});
const any = { level: "", section: "", run: false };
const search = createSearch([
  bite("coalescing", "Memory coalescing", { keywords: ["strided access slow"], run: true }),
  bite("bank-conflicts", "Shared-memory bank conflicts", { level: "intermediate", text: "coalescing is another matter" }),
  bite("roofline", "The roofline model", { section: "perf", sectionName: "Performance" }),
]);
const slugs = (query, narrowing = any) => search(query, narrowing).map((result) => result.slug);

test("a title counts more than the text", () => assert.deepEqual(slugs("coalescing"), ["coalescing", "bank-conflicts"]));
test("a keyword is found", () => assert.equal(slugs("strided access")[0], "coalescing"));
test("half a word is enough", () => assert.deepEqual(slugs("roofl"), ["roofline"]));
test("one letter is not", () => assert.deepEqual(slugs("r"), []));
test("typos are forgiven: one edit in a word of medium length, two in a long one", () => {
  assert.deepEqual(slugs("coalesing")[0], "coalescing");
  assert.deepEqual(slugs("rofline"), ["roofline"]);
  assert.deepEqual(slugs("rflne"), []);
});
test("all words are wanted; where no bite has them all, some will do", () => {
  assert.deepEqual(slugs("bank conflicts"), ["bank-conflicts"]);
  assert.deepEqual(slugs("roofline xylophone"), ["roofline"]);
});
test("filters narrow", () => {
  assert.deepEqual(slugs("coalescing", { ...any, level: "intermediate" }), ["bank-conflicts"]);
  assert.deepEqual(slugs("coalescing", { ...any, run: true }), ["coalescing"]);
  assert.deepEqual(slugs("model", { ...any, section: "mem" }), []);
});
test("nothing is found for nothing", () => assert.deepEqual(slugs("   "), []));
test("matches are marked, and odd characters are only characters", () => {
  assert.deepEqual(markMatches("Bank conflicts", ["bank"]), [
    { text: "Bank", matched: true },
    { text: " conflicts", matched: false },
  ]);
  assert.deepEqual(markMatches("a (b", ["(b"]), [
    { text: "a ", matched: false },
    { text: "(b", matched: true },
  ]);
});
test("a keyword typed whole comes first, words that tell nothing fetch nothing", () => {
  const find = createSearch([
    bite("one", "Memory that is bound"),
    bite("two", "The roofline", { keywords: ["memory bound"] }),
    bite("three", "Containers"),
  ]);
  assert.equal(find("memory bound", any)[0].slug, "two");
  assert.deepEqual(
    find("gpu not in the roofline", any).map((result) => result.slug),
    ["two"],
  );
});
test("a match inside a word is not marked", () =>
  assert.deepEqual(markMatches("Containers", ["in"]), [{ text: "Containers", matched: false }]));
