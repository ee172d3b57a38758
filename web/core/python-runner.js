// The page's one Python: downloads the pack when a program first runs, keeps a warm worker for the visit, runs one program at a time.
//
// The program is not trusted. It runs in a blob worker inside a sandboxed frame without an origin (workers/python-frame.js); what comes back
// is text over one port, read by `readMessage`. Removing the frame ends everything in it, whatever it is doing: that is what Stop does.
import pack from "built:python-pack";
import { filesFor, frameDocument, KEEP_PYTHON, LIMITS, OutputLimit, readMessage } from "./python-pack.js";
import { keepSnapshot, readSnapshot } from "./python-snapshot.js";
import { siteUrl } from "./site.js";
import { verifiedFetch } from "./verified-fetch.js";

/**
 * @typedef {import("./python-pack.js").PackFile} PackFile
 * @typedef {import("./python-pack.js").Message | {type: "snapshot", bytes: ArrayBuffer}} Message
 *
 * @typedef {{stage: "waiting" | "booting" | "installing"} | {stage: "downloading", what: string, done: number, total: number} | {stage: "running", version: string}} Progress
 *
 * @typedef {object} Request
 * @property {string} name the file's name, as tracebacks show it
 * @property {string} code
 * @property {AbortSignal} signal aborted by Stop, at any stage
 * @property {(progress: Progress) => void} onProgress
 * @property {(stream: import("./python-pack.js").Stream, text: string) => void} onOutput
 *
 * @typedef {object} Outcome
 * @property {"finished" | "raised" | "stopped" | "timed-out" | "failed"} end `failed`: not the program but Python, or its download
 * @property {string} message one line, or empty
 * @property {string} traceback
 * @property {number} line of the file, 0 where there is none
 * @property {string} hint
 * @property {number} dropped lines that were printed beyond the limit
 * @property {number} seconds from the start of the code
 */

/** A worker that says nothing for so long has died quietly (a browser out of memory) or was broken by an earlier program. */
const PATIENCE = 120;

const PACKS = { python: "Python", numpy: "numpy" };

/** Settles when the last program asked for so far has ended. @type {Promise<unknown>} */
let turn = Promise.resolve();
let asked = 0;
/** @type {Sandbox | undefined} */
let sandbox;
/** Verified files, kept for the worker that follows this one. @type {Map<string, ArrayBuffer>} */
const kept = new Map();

/** The memory of a Python that has started: the next worker begins there. @type {ArrayBuffer | null} */
let snapshot = null;
/** What is known of snapshots: nothing yet, none is here, or no other is to be made. @type {"unknown" | "none" | "settled"} */
let snapshots = "unknown";

/**
 * Runs a program once those asked for before it have ended. Never rejects.
 * @param {Request} request
 * @returns {Promise<Outcome>}
 */
export function runPython(request) {
  if (asked > 0) request.onProgress({ stage: "waiting" });
  asked += 1;
  const result = unlessStopped(request.signal, turn)
    .then(() => runNow(request))
    .catch((error) => outcome(request.signal.aborted ? "stopped" : "failed", { message: error.message }))
    .finally(() => (asked -= 1));
  turn = Promise.all([turn, result]);
  return result;
}

/** @param {Request} request @returns {Promise<Outcome>} */
async function runNow(request) {
  await download(filesFor(pack, request.code), request);
  if (!sandbox?.booted) request.onProgress({ stage: "booting" });
  if (snapshots === "unknown") await lookForSnapshot();
  if (!sandbox || sandbox.closed) sandbox = new Sandbox();
  const current = sandbox;
  const version = await unlessStopped(request.signal, current.ready).catch((problem) => {
    if (!current.restored || request.signal.aborted) throw problem;
    refuseSnapshot();
    return null;
  });
  if (version === null) return runNow(request);
  try {
    return await unlessStopped(request.signal, current.run(request, version));
  } finally {
    if (request.signal.aborted) current.close("stopped");
    // The next Run finds a worker that is ready, or nearly.
    if (current.closed) sandbox = new Sandbox();
    if (snapshots === "none") whenIdle(keepAStart);
  }
}

async function lookForSnapshot() {
  const { bytes, refused } = await readSnapshot();
  snapshot = bytes;
  snapshots = bytes || refused ? "settled" : "none";
}

/** This browser cannot begin from it: a plain start, now and on later visits. */
function refuseSnapshot() {
  snapshot = null;
  sandbox = undefined;
  keepSnapshot(new ArrayBuffer(0));
}

/** A snapshot is larger than Python itself: only where the reader has asked for Python to be kept. */
async function keepAStart() {
  const { keepsPython } = await import("./offline.js"); // as the entry asks for it, so that both get one and the same file
  if (await keepsPython()) await makeSnapshot();
}

/** By a worker of its own, in which no program has run or will. */
async function makeSnapshot() {
  if (snapshots === "settled") return;
  snapshots = "settled";
  const maker = new Sandbox({ make: true });
  try {
    const bytes = await maker.made;
    snapshot = bytes;
    await keepSnapshot(bytes);
  } catch {
    // The plain start goes on.
  } finally {
    maker.close("made");
  }
}

/** @param {PackFile[]} files @param {Request} request */
async function download(files, { signal, onProgress }) {
  const missing = files.filter((file) => !kept.has(file.name));
  const what = [...new Set(missing.map((file) => PACKS[file.pack]))].join(" and ");
  const total = missing.reduce((sum, file) => sum + file.bytes, 0);
  /** @type {Map<string, number>} */
  const come = new Map();
  const results = await Promise.allSettled(
    missing.map(async (file) => {
      const onBytes = (/** @type {number} */ bytes) => {
        come.set(file.name, bytes);
        onProgress({ stage: "downloading", what, done: [...come.values()].reduce((sum, part) => sum + part), total });
      };
      const content = await verifiedFetch({ ...file, url: siteUrl(`assets/python/${file.name}`) }, { signal, onBytes });
      kept.set(file.name, content);
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (!failed) return;
  throw new Error(`${what} could not be downloaded (${failed.reason.message}). Is there a connection? Run tries again. ${KEEP_PYTHON}`);
}

/** A frame with a worker in it. It boots at once, and runs programs until it is closed. */
class Sandbox {
  booted = false;
  closed = false;
  #frame = document.createElement("iframe");
  #port;
  #numpy = false;
  /** What is waited for, if anything. @type {{take: (message: Message) => any, resolve: (answer: any) => void, reject: (error: Error) => void} | undefined} */
  #wait;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{make?: boolean}} [how] `make`: not to run programs, but to hand its memory out, once */
  constructor({ make = false } = {}) {
    this.restored = snapshot !== null && !make;
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#port.onmessage = ({ data }) =>
      this.#hear(make && data instanceof ArrayBuffer ? { type: "snapshot", bytes: data } : readMessage(data));
    this.#frame.hidden = true;
    this.#frame.title = "Python";
    this.#frame.dataset.start = make ? "making" : this.restored ? "snapshot" : "plain";
    this.#frame.setAttribute("sandbox", "allow-scripts");
    this.#frame.srcdoc = frameDocument(pack.frame);
    const script = new TextDecoder().decode(kept.get(pack.worker));
    const hand = () => this.#frame.contentWindow?.postMessage(script, "*", [channel.port2]);
    this.#frame.addEventListener("load", hand, { once: true });
    const files = handedOver(pack.files.filter((file) => file.pack === "python"));
    this.#port.postMessage({ files, make, snapshot: this.restored ? snapshot : null });

    /** Its memory. @type {Promise<ArrayBuffer>} */
    this.made = make ? this.#hearing((message) => (message.type === "snapshot" ? message.bytes : undefined)) : never;
    /** Python's version, once it can run something. @type {Promise<string>} */
    this.ready = make ? never : this.#hearing((message) => (message.type === "ready" ? message.version : undefined));
    this.ready.then(
      () => (this.booted = true),
      () => {},
    ); // a sandbox that no one has asked for yet may fail unheard; the next Run makes another
    this.#within(PATIENCE, () => this.close("Python did not start."));
    document.documentElement.append(this.#frame);
  }

  /** @param {Request} request @param {string} version @returns {Promise<Outcome>} */
  async run({ name, code, onProgress, onOutput }, version) {
    const run = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const files = filesFor(pack, code).filter((file) => file.pack === "numpy" && !this.#numpy);
    if (files.length > 0) onProgress({ stage: "installing" });
    this.#numpy ||= files.length > 0;
    const limit = new OutputLimit();
    let started = 0;
    let dropped = 0;
    const soFar = () => ({ seconds: started && (performance.now() - started) / 1000, dropped: dropped + limit.dropped });

    /** @type {Promise<{result: Outcome, reuse: boolean}>} */
    const ended = this.#hearing((message) => {
      if (!("run" in message) || message.run !== run) return undefined;
      // Only the first one counts, and the clock with it.
      if (message.type === "started" && !started) {
        started = performance.now();
        onProgress({ stage: "running", version });
        this.#within(LIMITS.seconds, () => this.#answer({ result: outcome("timed-out", soFar()), reuse: false }));
      }
      if (message.type === "output") {
        const text = limit.take(message.text);
        if (text) onOutput(message.stream, text);
      }
      if (message.type === "dropped") dropped = message.lines;
      if (message.type !== "done") return undefined;
      const { ok, reuse, traceback, line, hint } = message;
      return { result: outcome(ok ? "finished" : "raised", { ...soFar(), message: message.message, traceback, line, hint }), reuse };
    });
    this.#within(PATIENCE, () => this.close("Python does not answer. Run starts another."));
    this.#port.postMessage({ type: "run", run, name, code, files: handedOver(files) });
    const { result, reuse } = await ended;
    if (!reuse) this.close("ended");
    return result;
  }

  /** Ends whatever runs in it, at once. @param {string} reason */
  close(reason) {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.#timer);
    this.#port.close();
    this.#frame.remove();
    this.#wait?.reject(new Error(reason));
  }

  /** @param {Message | null} message */
  #hear(message) {
    if (message?.type === "flood") return this.close("The program sent more than a page can show, and was stopped.");
    if (message?.type === "failed") return this.close(`Python did not start: ${message.message}`);
    const answer = message && this.#wait?.take(message);
    if (answer !== undefined && answer !== null) this.#answer(answer);
  }

  /** The first answer that `take` makes of a message. @template T @param {(message: Message) => T | undefined} take @returns {Promise<T>} */
  #hearing(take) {
    return new Promise((resolve, reject) => {
      this.#wait = { take, resolve, reject };
    });
  }

  /** @param {unknown} answer */
  #answer(answer) {
    clearTimeout(this.#timer);
    this.#wait?.resolve(answer);
    this.#wait = undefined;
  }

  /** One clock at a time: a new one replaces the last, an answer stops it. @param {number} seconds @param {() => void} late */
  #within(seconds, late) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(late, seconds * 1000);
  }
}

/** @type {Promise<never>} */
const never = new Promise(() => {});

/** @param {() => void} work */
const whenIdle = (work) => (window.requestIdleCallback ?? setTimeout)(work);

/** Copies go to the sandbox: the originals stay for the next one. @param {PackFile[]} files */
const handedOver = (files) => Object.fromEntries(files.map((file) => [file.as, kept.get(file.name)]));

/** @param {Outcome["end"]} end @param {Partial<Outcome>} [more] @returns {Outcome} */
const outcome = (end, more) => ({ end, message: "", traceback: "", line: 0, hint: "", dropped: 0, seconds: 0, ...more });

/** `promise`, or a rejection as soon as the reader stops. @template T @param {AbortSignal} signal @param {Promise<T>} promise @returns {Promise<T>} */
function unlessStopped(signal, promise) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(new Error("stopped"));
    signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
    promise.then(resolve, reject);
  });
}
