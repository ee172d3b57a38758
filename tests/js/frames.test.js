import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { read } from "../../web/core/frames.js";

test("a picture is put together from the parts that all of them share", () => {
  const parts = ["<svg>", "<rect/>", "<text>two", "</text>", "</svg>"];
  const kept = {
    parts,
    pictures: [
      [0, 1, 4],
      [0, 1, 1, 2, 3, 4],
    ],
    tables: [
      [["a"], [1]],
      [["a"], [2]],
    ],
    results: [1, "two"],
    says: ["One.", "Two."],
  };
  assert.deepEqual(read(kept), [
    { svg: "<svg><rect/></svg>", table: [["a"], [1]], result: 1, says: "One." },
    { svg: "<svg><rect/><rect/><text>two</text></svg>", table: [["a"], [2]], result: "two", says: "Two." },
  ]);
});

test("what the recorder wrote is read, every picture whole", () => {
  const file = new URL("../rules/good/snippets/warps/idle_lab.recording.frames", import.meta.url);
  const frames = read(JSON.parse(inflateSync(readFileSync(file)).toString()));
  assert.ok(frames.length > 1);
  for (const frame of frames) assert.match(frame.svg, /^<svg [^<]*>.*<\/svg>$/s);
});
