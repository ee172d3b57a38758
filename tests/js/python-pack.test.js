import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  filesFor,
  frameDocument,
  importsNumpy,
  LIMITS,
  OutputLimit,
  OutputPages,
  Printer,
  readMessage,
  wholeFile,
} from "../../web/core/python-pack.js";

/** @type {import("../../web/core/python-pack.js").PythonPack} */
const pack = {
  worker: "worker-1.js",
  files: [
    { name: "worker-1.js", as: "worker.js", bytes: 1_000_000, sha256: "00", pack: "python" },
    { name: "pyodide-2.wasm", as: "pyodide.asm.wasm", bytes: 9_000_000, sha256: "00", pack: "python" },
    { name: "numpy-3.whl", as: "numpy.whl", bytes: 2_900_000, sha256: "00", pack: "numpy" },
  ],
  frame: { script: "start()", hash: "sha256-abc=" },
};

test("the file that runs is the part between what stands around it, on lines of its own", () => {
  assert.equal(wholeFile({ before: "a\n", after: "c\n" }, "b\n"), "a\nb\nc\n");
  assert.equal(wholeFile({ before: "a\n", after: "c\n" }, "b"), "a\nb\nc\n");
  assert.equal(wholeFile({ before: "", after: "" }, "b"), "b");
  assert.equal(wholeFile({ before: "a\n", after: "c\n" }, ""), "a\nc\n");
});

for (const code of [
  "import numpy",
  "import numpy as np",
  "import math, numpy as np",
  "from numpy.linalg import norm",
  "def f():\n\timport numpy",
  "x = 1; import numpy",
  "try: from numpy import array\nexcept ImportError: pass",
]) {
  test(`numpy is fetched for ${JSON.stringify(code)}`, () => {
    assert.ok(importsNumpy(code));
    assert.deepEqual(
      filesFor(pack, code).map(({ as }) => as),
      ["worker.js", "pyodide.asm.wasm", "numpy.whl"],
    );
  });
}

for (const code of [
  "import math",
  "# import numpy later",
  "import numpydoc",
  "print('numpy')",
  "import math # not numpy",
  "from math import numpy",
]) {
  test(`numpy is not fetched for ${JSON.stringify(code)}`, () => assert.ok(!importsNumpy(code)));
}

test("the frame allows its own script, WebAssembly and a blob worker, and nothing else", () => {
  const policy = /content="([^"]*)"/.exec(frameDocument(pack.frame))?.[1];
  assert.equal(
    policy,
    "default-src 'none'; script-src 'wasm-unsafe-eval' 'sha256-abc='; worker-src blob:; base-uri 'none'; form-action 'none'",
  );
});

test("the frame's hash is that of the script between its tags", () => {
  const document = frameDocument({ script: "let a = 1 < 2;", hash: "" });
  const script = /<script>(.*)<\/script>/s.exec(document)?.[1] ?? "";
  const digest = (/** @type {string} */ text) => createHash("sha256").update(text).digest("base64");
  assert.equal(digest(script), digest("let a = 1 < 2;"));
});

test("only known messages with fields of the right type are read", () => {
  assert.deepEqual(readMessage('{"type":"output","run":"2-3","stream":"err","text":"x","html":"<b>"}'), {
    type: "output",
    run: "2-3",
    stream: "err",
    text: "x",
  });
  assert.deepEqual(readMessage('{"type":"output","run":2,"stream":{"a":1},"text":["x"]}'), {
    type: "output",
    run: "",
    stream: "out",
    text: "",
  });
  assert.deepEqual(readMessage('{"type":"done","run":"1","ok":"yes","line":-4,"reuse":1,"message":7,"hint":null}'), {
    type: "done",
    run: "1",
    ok: false,
    traceback: "",
    message: "",
    line: 0,
    hint: "",
    reuse: false,
  });
});

for (const letter of [
  "",
  "no JSON",
  "null",
  "7",
  "[]",
  '"text"',
  '{"type":"__proto__"}',
  '{"type":"other"}',
  7,
  null,
  undefined,
  { type: "ready" },
]) {
  test(`${JSON.stringify(letter)} is no message`, () => assert.equal(readMessage(letter), null));
}

test("a message cannot reach an object's prototype", () => {
  readMessage('{"type":"ready","__proto__":{"version":"9"},"constructor":{"prototype":{"owned":1}}}');
  assert.equal(/** @type {any} */ ({}).owned, undefined);
  assert.equal(/** @type {any} */ ({}).version, undefined);
});

test("a message longer than the frame lets through is none", () => {
  const long = JSON.stringify({ type: "output", run: 1, stream: "out", text: "x".repeat(LIMITS.messageCharacters) });
  assert.equal(readMessage(long), null);
});

test("an output shows its first thousand lines and counts the rest", () => {
  const limit = new OutputLimit(LIMITS.page);
  let shown = "";
  for (let line = 0; line < 1500; line += 1) shown += limit.take(`${line}\n`);
  assert.equal(shown.split("\n").length - 1, 1000);
  assert.equal(limit.dropped, 500);
});

test("one piece of many lines is cut at the limit too", () => {
  const limit = new OutputLimit(LIMITS.page);
  assert.equal(limit.take("x\n".repeat(1200)), "x\n".repeat(1000));
  assert.equal(limit.dropped, 200);
});

test("one endless line is cut at the limit of characters", () => {
  const limit = new OutputLimit();
  assert.equal(limit.take("x".repeat(LIMITS.characters + 5)).length, LIMITS.characters);
  assert.ok(limit.full);
  limit.drop("x".repeat(8192));
  assert.equal(limit.dropped, 1);
});

test("what a page does not show is held, and comes in order, a page at a time, each in its stream", () => {
  const pages = new OutputPages();
  let shown = "";
  for (let line = 0; line < 2500; line += 1) shown += pages.take(line % 2 ? "err" : "out", `${line}\n`);
  assert.equal(shown.split("\n").length - 1, 1000);
  const more = [];
  for (let left = 1500; left > 0; left -= 1000) {
    assert.equal(pages.lines, left);
    more.push(...pages.more());
  }
  assert.equal(pages.lines, 0);
  assert.deepEqual(pages.more(), []);
  assert.equal(shown + more.map(({ text }) => text).join(""), Array.from({ length: 2500 }, (_, line) => `${line}\n`).join(""));
  assert.ok(more.every(({ stream, text }) => stream === (Number(text) % 2 ? "err" : "out")));
});

test("half a line goes on where the page ended", () => {
  const pages = new OutputPages();
  assert.equal(pages.take("out", "x".repeat(LIMITS.page.characters + 7)).length, LIMITS.page.characters);
  assert.equal(pages.lines, 1);
  assert.deepEqual(pages.more(), [{ stream: "out", text: "xxxxxxx" }]);
});

/** A printer with a clock of its own. */
function printerAt() {
  const sent = /** @type {[string, string][]} */ ([]);
  const clock = { now: 0 };
  const printer = new Printer({ send: (stream, text) => sent.push([stream, text]), now: () => clock.now });
  return { printer, sent, clock };
}

test("what is printed now and then is sent at once", () => {
  const { printer, sent, clock } = printerAt();
  for (let line = 0; line < 200; line += 1) {
    printer.print("out", `${line}\n`);
    clock.now += 50;
  }
  assert.equal(sent.length, 200);
});

test("a hundred thousand prints become few messages and lose nothing below the limit", () => {
  const { printer, sent, clock } = printerAt();
  for (let line = 0; line < 100_000; line += 1) {
    printer.print("out", `${line}\n`);
    clock.now += 0.01;
  }
  printer.flush();
  assert.ok(sent.length < 90, `${sent.length} messages`);
  assert.equal(
    sent
      .map(([, text]) => text)
      .join("")
      .split("\n").length - 1,
    LIMITS.lines,
  );
  assert.equal(printer.dropped, 80_000);
});

test("both streams keep their order", () => {
  const { printer, sent } = printerAt();
  for (let turn = 0; turn < 60; turn += 1) printer.print(turn % 2 ? "err" : "out", `${turn}\n`);
  printer.flush();
  assert.equal(sent.map(([, text]) => text).join(""), Array.from({ length: 60 }, (_, turn) => `${turn}\n`).join(""));
  assert.ok(sent.every(([stream, text]) => text.split("\n").every((turn) => turn === "" || stream === (Number(turn) % 2 ? "err" : "out"))));
});

test("no piece is longer than a message may be, whatever it holds", () => {
  const { printer, sent } = printerAt();
  printer.print("out", "\u0000".repeat(50_000));
  printer.flush();
  assert.equal(sent.map(([, text]) => text).join("").length, 50_000);
  for (const [stream, text] of sent) {
    assert.ok(JSON.stringify({ type: "output", run: 1, stream, text }).length <= LIMITS.messageCharacters);
  }
});
