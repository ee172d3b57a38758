import assert from "node:assert/strict";
import { test } from "node:test";
import { againstTarget, asMarkdown, inWords, meeting, spokenSeconds, stamp, stepKeys, wordCount } from "../../web/core/worksheet.js";

test("words are what is said: dashes and bullets take no time", () => {
  assert.equal(wordCount("  We moved 3 TB/s — twice.\n- it's <ms> of `x`\n"), 9);
  assert.equal(wordCount("Übergröße 漢字"), 2);
  assert.equal(wordCount(""), 0);
});

test("140 words take a minute", () => {
  assert.equal(spokenSeconds("word ".repeat(140)), 60);
  assert.equal(inWords(60), "1 min");
  assert.equal(inWords(130), "2 min 10 s");
  assert.equal(inWords(119), "2 min", "never 1 min 60 s");
  assert.equal(inWords(0), "0 s");
  assert.equal(inWords(0.4), "5 s", "some words are never none");
});

test("a total says how it stands to five minutes", () => {
  assert.equal(againstTarget(130), "About 2 min 10 s aloud, of five minutes");
  assert.equal(againstTarget(310), "About 5 min 10 s aloud, of five minutes", "an estimate is not exact to ten seconds");
  assert.equal(againstTarget(360), "About 6 min aloud: 1 min over five minutes");
});

test("a step keeps its text when it is moved, and two of one name stay two", () => {
  const [context] = stepKeys(["1. Context: model, workload, target"]);
  assert.equal(context, "context-model-workload-target");
  assert.deepEqual(stepKeys(["1. Result", "4) Context: model,  workload, target", "5. Result"]), ["result", context, "result-2"]);
});

const record = { bite: "b", step: "s", name: "S", text: "theirs", updated: 20, base: 10 };
const box = { text: "ours", updated: 10, typed: true, unsaved: false };

test("an untouched box shows the newer text, an older one changes nothing", () => {
  assert.equal(meeting({ ...box, typed: false }, record), "show");
  assert.equal(meeting({ ...box, updated: 20, text: "theirs" }, record), "nothing");
  assert.equal(meeting({ ...box, typed: false, updated: 21 }, record), "nothing");
});

test("a text that was written over ours is shown, another one asks first", () => {
  assert.equal(meeting(box, record), "show");
  assert.equal(meeting({ ...box, unsaved: true }, record), "ask");
  assert.equal(meeting(box, { ...record, base: 9 }), "ask");
  assert.equal(meeting({ ...box, updated: 20 }, record), "ask", "written in the same millisecond");
  assert.equal(meeting({ ...box, unsaved: true, text: "theirs" }, record), "note");
});

test("a later text has a later stamp, even where the clock was set back", () => {
  assert.equal(stamp(50, 10), 50);
  assert.equal(stamp(5, 10), 11);
});

const worksheet = {
  title: "A story",
  address: "https://example.org/b/a-story/",
  date: "2026-11-30",
  steps: [
    { step: "one", name: "1. One", text: "First." },
    { step: "two", name: "2. Two", text: "" },
  ],
  points: [
    { weight: 3, text: "names the limit", ticked: true },
    { weight: 2, text: "states the price", ticked: false },
  ],
};

test("a worksheet as Markdown has its title, date, steps and points", () => {
  assert.equal(
    asMarkdown(worksheet),
    `# A story

2026-11-30. About 5 s aloud, of five minutes. Frame: <https://example.org/b/a-story/>

## 1. One

First.

## 2. Two

(nothing yet)

## Rubric: 3 of 5 points

- [x] (3) names the limit
- [ ] (2) states the price
`,
  );
});

/** What stands under the first step, in Markdown. @param {string} text */
const exported = (text) => {
  const [, rest] = asMarkdown({ ...worksheet, steps: [{ ...worksheet.steps[0], text }, worksheet.steps[1]] }).split("## 1. One\n\n");
  return rest.split("\n\n## 2. Two\n")[0];
};

test("no line of a text becomes a heading of the document", () => {
  assert.equal(exported("# Mine\n## 2. Two\n#hash\n   ### x"), "\\# Mine\n\\## 2. Two\n#hash\n   \\### x");
  assert.equal(exported("Title\n===\nOther\n---\nend"), "Title\n\\===\nOther\n\\---\nend");
  assert.equal(exported("- a\n* b\n1. c"), "- a\n* b\n1. c");
});

test("backticks stay code, and a fence left open does not swallow the next step", () => {
  assert.equal(exported("`a<b>` and ``x`<y``"), "`a<b>` and ``x`<y``");
  assert.equal(
    exported("```cuda\n# not a heading\na<<<1, 2>>>();\n```\n# heading"),
    "```cuda\n# not a heading\na<<<1, 2>>>();\n```\n\\# heading",
  );
  assert.equal(exported("~~~~\n```\n# code"), "~~~~\n```\n# code\n~~~~");
  assert.equal(exported("````\n```\nx"), "````\n```\nx\n````");
  assert.equal(exported("a lone ` and <ms>"), "a lone ` and \\<ms>");
});

test("a placeholder in angle brackets does not vanish as HTML", () => {
  assert.equal(exported("It took <ms>, `<n>` times, &lt; AT&T"), "It took \\<ms>, `<n>` times, \\&lt; AT&T");
  assert.equal(exported("<script>alert(1)</script>"), "\\<script>alert(1)\\</script>");
});
