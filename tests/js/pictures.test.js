import assert from "node:assert/strict";
import { test } from "node:test";
import { PictureReader } from "../../web/core/pictures.js";

const SVG = '<svg viewBox="0 0 4 4">\n<title>A dot</title><circle r="1"/>\n</svg>\n';

/** Neighboring texts put together. @param {string[]} pieces */
const read = (...pieces) => {
  const reader = new PictureReader();
  /** @type {any[]} */
  const found = [];
  for (const printed of [...pieces.flatMap((piece) => reader.take(piece)), ...reader.end()]) {
    const last = found.at(-1);
    if (last && "text" in last && "text" in printed) last.text += printed.text;
    else found.push({ ...printed });
  }
  return found;
};

test("a picture is found between lines, wherever what was printed is cut", () => {
  const all = `one\n${SVG}two\n${SVG}< <s <svg\n<sv`;
  const expected = [{ text: "one\n" }, { picture: SVG }, { text: "two\n" }, { picture: SVG }, { text: "< <s <svg\n<sv" }];
  for (let at = 0; at <= all.length; at++) assert.deepEqual(read(all.slice(0, at), all.slice(at)), expected, `cut at ${at}`);
  assert.deepEqual(read(...all), expected);
});

test("the last line break may be missing", () => assert.deepEqual(read(SVG.trimEnd()), [{ picture: SVG.trimEnd() }]));

test("what does not begin a line, or does not end, is text", () => {
  for (const text of [`x ${SVG}`, "<svgs>\n</svg>\n", "<svg viewBox='0 0 1 1'>\n", "<svg></svg> and more", `<!DOCTYPE svg>${SVG}`, "<"]) {
    assert.deepEqual(read(text), [{ text }], text);
    assert.deepEqual(read(...text), [{ text }], text);
  }
});

test("what is too long for a picture is text, and is not held", () => {
  const reader = new PictureReader();
  let out = 0;
  for (let piece = 0; piece < 60; piece++) {
    for (const printed of reader.take(piece ? "x".repeat(8192) : "<svg>")) out += "text" in printed ? printed.text.length : 0;
  }
  assert.ok(out > 200_000, `${out}`);
  assert.deepEqual(read(`<svg>${"x".repeat(300_000)}</svg>\n`), [{ text: `<svg>${"x".repeat(300_000)}</svg>\n` }]);
});
