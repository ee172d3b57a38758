// What page, sandboxed frame and worker agree on: the pack's files, the limits of a run, and the text that may travel. Pure.

/**
 * @typedef {object} PackFile a file of the Python pack, verified before use
 * @property {string} name relative to assets/python/; holds a hash of the content
 * @property {string} as the name Pyodide asks for it by
 * @property {number} bytes
 * @property {string} sha256 in hex
 * @property {"python" | "numpy"} pack numpy is fetched only when a program imports it
 *
 * @typedef {object} PythonPack
 * @property {string} worker the name of the worker's script, one of `files`
 * @property {PackFile[]} files
 * @property {{script: string, hash: string}} frame the sandboxed frame's inline script, and its hash as a policy writes it
 *
 * @typedef {"out" | "err"} Stream
 *
 * @typedef {object} Done how a run ended, by its own account
 * @property {"done"} type
 * @property {string} run
 * @property {boolean} ok
 * @property {string} traceback
 * @property {string} message the traceback's last line
 * @property {number} line of the reader's file, 0 where there is none
 * @property {string} hint what to do about it here, or ""
 * @property {boolean} reuse false where the worker is not fit for another run
 *
 * @typedef {{type: "flood"} | {type: "ready", version: string} | {type: "failed", message: string}
 *   | {type: "started", run: string} | {type: "output", run: string, stream: Stream, text: string}
 *   | {type: "dropped", run: string, lines: number} | Done} Message `run` is a secret between page and worker: a program cannot forge its end
 */

/** What one run may take. The worker keeps to them; frame and page enforce them on a worker that does not. */
export const LIMITS = {
  seconds: 10,
  heapBytes: 512 * 2 ** 20,
  /** Kept of an output, which is shown a page at a time. */
  lines: 20_000,
  characters: 1_000_000,
  page: { lines: 1000, characters: 100_000 },
  pictures: 20,
  /** Messages that the frame lets through for one run, and the characters of each. */
  messages: 2000,
  messageCharacters: 65_536,
};

/** What helps before the connection is gone. */
export const KEEP_PYTHON = "With a connection, “Make Python available offline” at the foot of the page keeps it on this device.";

/** The file that runs: the part the reader sees and edits, between what stands before and after it. @param {{before: string, after: string}} around @param {string} part */
export function wholeFile({ before, after }, part) {
  const joint = after && part && !part.endsWith("\n") ? "\n" : "";
  return before + part + joint + after;
}

/** Does the program import numpy, at its top or anywhere? A mention in a string costs a download, no more. @param {string} code */
export const importsNumpy = (code) => /(?:^|[;:])[ \t]*(?:from[ \t]+numpy\b|import[ \t]+(?:[^\n#;]*,[ \t]*)?numpy\b)/m.test(code);

/** What `code` needs downloaded. @param {PythonPack} pack @param {string} code */
export const filesFor = (pack, code) => pack.files.filter((file) => file.pack === "python" || importsNumpy(code));

/** The sandboxed frame: nothing but its own script, WebAssembly and a blob worker. @param {PythonPack["frame"]} frame */
export const frameDocument = ({ script, hash }) =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
  `script-src 'wasm-unsafe-eval' '${hash}'; worker-src blob:; base-uri 'none'; form-action 'none'"><title>Python</title><script>${script}</script>`;

/**
 * A message from the sandbox, or null. The reader's program can send anything it likes under the worker's name,
 * so only known fields of the right type are taken, and all that comes of them is text on the page.
 * @param {unknown} letter
 * @returns {Message | null}
 */
export function readMessage(letter) {
  if (typeof letter !== "string" || letter.length > LIMITS.messageCharacters) return null;
  const fields = parsed(letter);
  const text = (/** @type {string} */ name) => (typeof fields[name] === "string" ? fields[name] : "");
  const count = (/** @type {string} */ name) => (Number.isSafeInteger(fields[name]) && fields[name] > 0 ? fields[name] : 0);
  const run = text("run");
  switch (fields.type) {
    case "flood":
      return { type: "flood" };
    case "ready":
      return { type: "ready", version: text("version").slice(0, 20) };
    case "failed":
      return { type: "failed", message: text("message").slice(0, 500) };
    case "started":
      return { type: "started", run };
    case "output":
      return { type: "output", run, stream: fields.stream === "err" ? "err" : "out", text: text("text") };
    case "dropped":
      return { type: "dropped", run, lines: count("lines") };
    case "done":
      return {
        type: "done",
        run,
        ok: fields.ok === true,
        traceback: text("traceback"),
        message: text("message").slice(0, 500),
        line: count("line"),
        hint: text("hint").slice(0, 500),
        reuse: fields.reuse === true,
      };
    default:
      return null;
  }
}

/** @param {string} letter @returns {Record<string, any>} */
function parsed(letter) {
  try {
    return JSON.parse(letter) ?? {};
  } catch {
    return {};
  }
}

/** Lets the first lines and characters of an output through and counts the lines it holds back. */
export class OutputLimit {
  #most;
  #lines = 0;
  #characters = 0;
  #droppedNewlines = 0;
  #droppedPiece = false;

  /** @param {{lines: number, characters: number}} most */
  constructor(most = LIMITS) {
    this.#most = most;
  }

  /** Lines held back, a piece of one at the end counted as one. */
  get dropped() {
    return this.#droppedNewlines + Number(this.#droppedPiece);
  }

  get full() {
    return this.#lines >= this.#most.lines || this.#characters >= this.#most.characters;
  }

  /** The part of `text` that still fits. @param {string} text */
  take(text) {
    let end = 0;
    while (end < text.length && !this.full) {
      const newline = text.indexOf("\n", end);
      const next = Math.min(newline < 0 ? text.length : newline + 1, end + this.#most.characters - this.#characters);
      this.#characters += next - end;
      if (text[next - 1] === "\n") this.#lines += 1;
      end = next;
    }
    if (end < text.length) this.drop(text.slice(end));
    return text.slice(0, end);
  }

  /** Counts what is not shown. @param {string} text */
  drop(text) {
    this.#droppedNewlines += text.split("\n").length - 1;
    this.#droppedPiece = text ? !text.endsWith("\n") : this.#droppedPiece;
  }
}

/** An output in pages: the first is shown as it comes, the next ones when they are asked for. */
export class OutputPages {
  #page = new OutputLimit(LIMITS.page);
  /** @type {{stream: Stream, text: string}[]} */
  #held = [];

  /** What still fits on the page. The rest is held. @param {Stream} stream @param {string} text */
  take(stream, text) {
    const shown = this.#page.take(text);
    if (shown.length < text.length) this.#held.push({ stream, text: text.slice(shown.length) });
    return shown;
  }

  get full() {
    return this.#page.full;
  }

  /** Lines held, a piece of one at the end counted as one. */
  get lines() {
    const text = this.#held.map((piece) => piece.text).join("");
    return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
  }

  /** The next page. */
  more() {
    const pieces = this.#held;
    this.#page = new OutputLimit(LIMITS.page);
    this.#held = [];
    return pieces.map(({ stream, text }) => ({ stream, text: this.take(stream, text) })).filter(({ text }) => text);
  }
}

/** Gathers what a program prints: sent at once while it prints little, in pieces twenty times a second while it prints much. */
export class Printer {
  #limit = new OutputLimit();
  #pending = "";
  /** @type {Stream} */
  #stream = "out";
  #atOnce = 40;
  #last;

  /** @param {{send: (stream: Stream, text: string) => void, now: () => number}} world */
  constructor({ send, now }) {
    this.send = send;
    this.now = now;
    this.#last = now();
  }

  get dropped() {
    return this.#limit.dropped;
  }

  /** Is there text that no one has seen yet? */
  get waiting() {
    return this.#pending !== "";
  }

  /** @param {Stream} stream @param {string} text */
  print(stream, text) {
    if (this.#limit.full) return this.#limit.drop(text);
    if (stream !== this.#stream) this.flush();
    this.#stream = stream;
    this.#pending += this.#limit.take(text);
    if (this.#mayPost()) this.flush();
  }

  flush() {
    // Short pieces: a control character takes six in JSON, and the frame refuses long messages.
    for (let from = 0; from < this.#pending.length; from += 8192) this.send(this.#stream, this.#pending.slice(from, from + 8192));
    this.#pending = "";
  }

  #mayPost() {
    const now = this.now();
    this.#atOnce = Math.min(40, this.#atOnce + (now - this.#last) / 50);
    this.#last = now;
    if (this.#atOnce < 1) return false;
    this.#atOnce -= 1;
    return true;
  }
}
