import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { decoded, partNamed } from "../../web/core/part-named.js";

const parts = { quiz: { id: "quiz" }, é: { id: "é" } };
beforeEach(() => {
  globalThis.document = { getElementById: (id) => (Object.hasOwn(parts, id) ? parts[id] : null) };
});
afterEach(() => {
  delete globalThis.document;
});

test("a part is found by its name, plain or encoded", () => {
  assert.equal(partNamed("#quiz"), parts.quiz);
  assert.equal(partNamed("#%C3%A9"), parts.é);
});

test("a link may hold anything: what names no part is none", () => {
  for (const hash of ["", "#", "#%E0%A4%A", "#%", "#__proto__", "#constructor", "#a b", "##quiz", "#quiz%00", "#\u{1F600}"]) {
    assert.equal(partNamed(hash), null, hash);
  }
});

test("what is no encoding stays as it is", () => {
  assert.equal(decoded("%E0%A4%A"), "%E0%A4%A");
  assert.equal(decoded("50%25"), "50%");
});
