import assert from "node:assert/strict";
import { test } from "node:test";
import { codeIn, withoutCode } from "../../web/core/code-link.js";
import { CodeLinkProblem, codeHash, LONGEST_CODE, readCode } from "../../web/core/packed-code.js";

const source = { before: "a = 1\n", part: "print(a)\n", after: "", firstLine: 2 };

/** @param {string} hash */
const link = (hash) => /** @type {import("../../web/core/code-link.js").CodeInLink} */ (codeIn(hash));

/** @param {string} hash @param {RegExp} words */
const refused = (hash, words) =>
  assert.rejects(readCode(link(hash), source), (problem) => problem instanceof CodeLinkProblem && words.test(problem.message));

/** A link as an attacker would make it, without the checks of ours. @param {string} text */
const forged = async (text) => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return `#snippet-x~py1.00000000.${Buffer.from(bytes).toString("base64url")}`;
};

for (const text of ["print(1)", "", "# ä 語 🙂\n\tif x:\n        pass\n", `${"x = 1\n".repeat(3000)}y`]) {
  test(`what goes into a link comes out of it: ${JSON.stringify(text.slice(0, 20))}`, async () => {
    const hash = await codeHash("snippet-x", text, source);
    assert.match(hash, /^#snippet-x~py1\.[\w.-]+$/);
    assert.equal(link(hash).id, "snippet-x");
    assert.deepEqual(await readCode(link(hash), source), { text, current: true });
    assert.equal((await readCode(link(hash), { ...source, before: "a = 2\n" })).current, false);
  });
}

test("an anchor of the page is no code", () => {
  for (const hash of ["", "#red-flags", "#snippet-x", "#follow-up-what-is-~py", "#~py.1", "#a~py1"]) {
    assert.equal(codeIn(hash), null, hash);
    assert.equal(withoutCode(hash), hash);
  }
  assert.equal(withoutCode("#snippet-x~py1.abc"), "#snippet-x");
});

test("of a link that was damaged on its way nothing else is shown than what it held", async () => {
  const text = "for i in range(10):\n    print(i)\n";
  const hash = await codeHash("snippet-x", text, source);
  const start = hash.indexOf(".") + 10;
  let refusals = 0;
  for (let at = start; at < hash.length; at++) {
    await refused(hash.slice(0, at), /damaged/);
    const other = hash[at] === "A" ? "B" : "A";
    // A few bits are padding, which mean nothing.
    await readCode(link(hash.slice(0, at) + other + hash.slice(at + 1)), source).then(
      (read) => assert.equal(read.text, text),
      (problem) => {
        assert.match(problem.message, /damaged|cannot be seen/);
        refusals += 1;
      },
    );
  }
  assert.ok(refusals > hash.length - start - 4);
  for (const content of ["", ".", "00000000.", "00000000.!!", "zzzzzzzz.eJw", "00000000.eJw%20", "<b>"]) {
    await refused(`#x~py1.${content}`, /damaged/);
  }
});

test("a link is bounded before and after it is unpacked", async () => {
  await refused(await forged("x".repeat(LONGEST_CODE + 1)), /more code/);
  await refused(await forged("x".repeat(5_000_000)), /more code/); // 5 kB that unfold into 5 MB
  await refused(`#x~py1.00000000.${"A".repeat(20_000)}`, /more code/);
  await assert.rejects(codeHash("x", "x".repeat(LONGEST_CODE + 1), source), /too long/);
});

test("what cannot be seen comes through in neither direction", async () => {
  for (const unseen of ["\u0000", "\u001b[2J", "\r", "\u200b", "\u202e", "\u2066", "\u2028", "\ufeff", "\u{e0041}"]) {
    await refused(await forged(`print(1) # ${unseen}`), /cannot be seen/);
    await assert.rejects(codeHash("x", `print(1)${unseen}`, source), /cannot be seen/);
  }
});

test("a link of a later edition says so", () => refused("#x~py2.00000000.eJw", /newer edition/));
