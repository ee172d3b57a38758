// The worker that is Python: boots Pyodide from files it is handed, runs one program at a time, and posts text.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { LIMITS, Printer } from "../core/python-pack.js";
import runFile from "./run_file.py";

/** Files by the name Pyodide asks for them. Nothing else can be fetched here. @type {Map<string, ArrayBuffer>} */
const files = new Map();
const base = "https://python.invalid/";

// The reader's program can reach these through `import js` and replace them; the runner keeps its own.
const { parse, stringify } = JSON;
const { postMessage, setTimeout, fetch: nativeFetch } = self;

/**
 * Without a prototype: a program that gives Object.prototype a toJSON would otherwise be shown its run's secret.
 * @param {import("../core/python-pack.js").Message} message
 */
const tell = (message) => postMessage(stringify({ __proto__: null, ...message }));

capMemory();
serveFiles();
const python = new Promise((resolve) => {
  addEventListener("message", ({ data }) => resolve(data.make ? makeSnapshot(data.files) : boot(data)), { once: true });
});
python.then(
  ({ version }) => tell({ type: "ready", version }),
  (error) => tell({ type: "failed", message: String(error) }),
);
addEventListener("message", async ({ data }) => {
  const started = await python;
  if (data.type === "run") await started.run(data);
});

/** Refuses to grow the heap past its cap: Python raises MemoryError and lives on. Without it the tab takes 4 GB. */
function capMemory() {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * 65536 > LIMITS.heapBytes) throw new RangeError("the heap is capped");
    return grow.call(this, pages);
  };
}

/** Pyodide loads through fetch(); the sandbox's policy refuses the real one, so this one answers from the files at hand, each once. */
function serveFiles() {
  self.fetch = async (input, init) => {
    const address = String(input instanceof Request ? input.url : input);
    const name = address.slice(address.lastIndexOf("/") + 1);
    const content = address.startsWith(base) ? files.get(name) : undefined;
    if (!content) return nativeFetch(input, init);
    files.delete(name);
    return new Response(content, { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream" } });
  };
}

/** @param {Record<string, ArrayBuffer>} handed */
function takeFiles(handed) {
  for (const [name, content] of Object.entries(handed)) files.set(name, content);
}

const options = {
  indexURL: base,
  packageBaseUrl: base,
  lockFileContents: PYODIDE_LOCK,
  createPyodideModule,
  env: { PYTHONHASHSEED: "0" },
  stdin: () => null,
};
/** What run_file.py needs, and `random`: imported once, kept with the memory. */
const IMPORTS = "import asyncio, builtins, gc, json, linecache, platform, random, sys, traceback, types, typing";

/** Hands out the memory of a Python that has started and run nothing. Nothing can run in it. @param {Record<string, ArrayBuffer>} handed @returns {Promise<never>} */
async function makeSnapshot(handed) {
  takeFiles(handed);
  const pyodide = await loadPyodide({ ...options, _makeSnapshot: true });
  pyodide.runPython(IMPORTS);
  const memory = /** @type {ArrayBuffer} */ (pyodide.makeMemorySnapshot().buffer);
  self.postMessage(memory, { transfer: [memory] });
  return new Promise(() => {});
}

/** @param {{files: Record<string, ArrayBuffer>, snapshot: ArrayBuffer | null}} handed */
async function boot({ files: handed, snapshot }) {
  takeFiles(handed);
  const pyodide = await loadPyodide(snapshot ? { ...options, _loadSnapshot: new Uint8Array(snapshot) } : options);
  if (snapshot) pyodide.runPython("import random; random.seed()"); // not the same numbers in every run
  const scope = pyodide.toPy({});
  pyodide.runPython(runFile, { globals: scope, filename: "run_file.py" });
  const runner = scope.get("run_file");
  // With stack switching, sleep() and asyncio.run() wait as they do elsewhere; without it, the first only blocks and the second cannot run.
  const call = "Suspending" in WebAssembly ? runner.callPromising.bind(runner) : runner;
  const version = pyodide.runPython("import platform; platform.python_version()");

  /** @param {{run: string, name: string, code: string, files: Record<string, ArrayBuffer>}} request */
  async function run({ run, name, code, files: handed }) {
    const printer = new Printer({ send: (stream, text) => tell({ type: "output", run, stream, text }), now: () => performance.now() });
    pyodide.setStdout(writer(printer, "out"));
    pyodide.setStderr(writer(printer, "err"));
    let done;
    try {
      await installNumpy(handed);
      tell({ type: "started", run });
      done = parse(await call(name, code));
    } catch (error) {
      // Not an exception of the program: the interpreter itself gave up, and nothing more can run in it.
      done = { ok: false, traceback: "", message: `Python stopped working: ${error}`.slice(0, 500), line: 0, hint: "", reuse: false };
    }
    printer.flush();
    if (printer.dropped) tell({ type: "dropped", run, lines: printer.dropped });
    tell({ ...done, type: "done", run });
  }

  /** numpy is imported before the clock starts, so that its second is not the program's. @param {Record<string, ArrayBuffer>} handed */
  async function installNumpy(handed) {
    if (Object.keys(handed).length === 0) return;
    takeFiles(handed);
    await pyodide.loadPackage("numpy", { messageCallback: () => {}, errorCallback: () => {} });
    pyodide.runPython("import numpy");
  }

  return { version, run };
}

/** A device that Python writes bytes to. @param {Printer} printer @param {import("../core/python-pack.js").Stream} stream */
function writer(printer, stream) {
  const decoder = new TextDecoder();
  const print = printer.print.bind(printer);
  const flushSoon = () => setTimeout(() => printer.flush(), 50);
  return {
    /** @param {Uint8Array} bytes */
    write(bytes) {
      print(stream, decoder.decode(bytes, { stream: true }));
      if (printer.waiting) flushSoon();
      return bytes.length;
    },
    isatty: false,
  };
}
