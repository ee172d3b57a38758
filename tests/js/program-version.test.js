import assert from "node:assert/strict";
import { test } from "node:test";
import { isOf } from "../../web/core/drafts.js";
import { sayVersion } from "../../web/core/program-version.js";

const over = { before: "", part: "1\n", after: "", firstLine: 1 };
const version = (/** @type {"draft" | "link"} */ from, current = true) => ({ from, text: "2", over, current });
const say = (/** @type {Partial<import("../../web/core/program-version.js").Standing>} */ standing) =>
  sayVersion({ shown: undefined, draft: undefined, stored: true, own: false, result: "output", ...standing });

test("of the page's own code there is nothing to say", () => assert.equal(say({}), ""));

test("a link's code says that it was not run, until it was", () => {
  assert.match(say({ shown: version("link") }), /not been run/);
  assert.doesNotMatch(say({ shown: version("link"), own: true }), /not been run/);
  assert.match(say({ shown: version("link", false) }), /another edition/);
});

test("a draft that a link stands before, or that another edition was, is not written over unseen", () => {
  assert.match(say({ shown: version("link"), draft: { current: true } }), /is not kept/);
  assert.match(say({ draft: { current: false } }), /earlier edition.*is not kept/);
  assert.doesNotMatch(say({ shown: version("draft"), draft: { current: true } }), /not kept/);
});

test("what a draft has not made yet is named", () => {
  assert.match(say({ shown: version("draft"), draft: { current: true }, result: "picture" }), /The picture is still that of the page/);
  assert.doesNotMatch(say({ shown: version("draft"), draft: { current: true }, own: true }), /still/);
});

test("a draft says of which edition it is, and how long it lasts", () => {
  assert.match(say({ shown: version("draft", false), draft: { current: false } }), /earlier edition/);
  assert.match(say({ shown: version("draft"), draft: { current: true } }), /kept in this browser/);
  assert.match(say({ shown: version("draft"), draft: { current: true }, stored: false }), /this visit only/);
});

test("an edition is the whole file", () => {
  assert.ok(isOf({ over }, { ...over }));
  for (const change of [{ before: "x" }, { part: "x" }, { after: "x" }]) assert.ok(!isOf({ over }, { ...over, ...change }));
  assert.ok(!isOf({ over: null }, over));
});
