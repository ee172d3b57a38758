// <keep-offline>: two buttons that fetch the library, and Python, for reading without a network; what is kept; and its removal.

import { make } from "../core/dom.js";
import { megabytes, portion } from "../core/megabytes.js";

// As the entry asks for it, so that both get one and the same file.
const { keepOffline, offline, offlineState, removeOffline } = await import("../core/offline.js");

/** @typedef {import("../core/offline.js").Part} Part */
/** @typedef {{button: HTMLButtonElement, bar: HTMLElement, progress: HTMLProgressElement, count: HTMLElement, said: HTMLElement}} Row */

const words = {
  library: { keep: "Keep offline", kept: "Every page, search and the demos work without a network." },
  python: { keep: "Make Python available offline", kept: "Python works without a network." },
};
// What a Python that has started takes, beside its files: tests/browser/test_sandbox.py weighs it.
const START_BYTES = 31_000_000;
const parts = /** @type {Part[]} */ (["library", "python"]);

class KeepOffline extends HTMLElement {
  /** @type {Record<Part, Row> | undefined} */
  #rows;
  /** @type {HTMLButtonElement | undefined} */
  #remove;
  /** @type {Part | null} */
  #fetching = null;
  /** @type {AbortController | undefined} */
  #connection;

  connectedCallback() {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    if (!this.#rows) this.#draw();
    offline.addEventListener("state", () => this.#refresh(), { signal });
    offline.addEventListener("progress", (event) => this.#show(/** @type {CustomEvent} */ (event).detail), { signal });
    // The sizes cost a request, so they are asked for when someone can see them.
    const seen = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      seen.disconnect();
      this.#refresh();
    });
    seen.observe(this);
    signal.addEventListener("abort", () => seen.disconnect());
  }

  disconnectedCallback() {
    this.#connection?.abort();
  }

  /** Fetches a part, in sight. @param {Part} part */
  async keep(part) {
    if (this.#fetching) return;
    const row = this.#row(part);
    this.#fetching = part;
    // Not disabled: the focus would be lost.
    row.button.ariaDisabled = "true";
    row.said.textContent = "Fetching…";
    try {
      await keepOffline({ python: part === "python" });
      this.#fetching = null;
      const hadFocus = document.activeElement === row.button;
      await this.#refresh();
      if (hadFocus) this.#remove?.focus();
    } catch (problem) {
      this.#fetching = null;
      await this.#refresh();
      row.said.textContent = /** @type {Error} */ (problem).message;
      row.button.textContent = "Try again";
      this.dataset[part] = "failed";
    }
  }

  async #drop() {
    try {
      await removeOffline();
      await this.#refresh();
      this.#row("library").button.focus();
    } catch (problem) {
      this.#say(/** @type {Error} */ (problem).message);
    }
  }

  #draw() {
    this.#rows = { library: drawRow("library"), python: drawRow("python") };
    for (const part of parts) this.#rows[part].button.addEventListener("click", () => this.keep(part));
    this.#remove = make("button", {
      type: "button",
      className: "button keep-remove",
      textContent: "Remove from this device",
      hidden: true,
    });
    this.#remove.addEventListener("click", () => this.#drop());
    this.replaceChildren(...parts.map((part) => this.#row(part).element), this.#remove);
  }

  /** Shows what is so, from the worker. */
  async #refresh() {
    if (this.#fetching) return;
    const { possible, kept, sizes } = await offlineState();
    if (this.#fetching) return;
    for (const part of parts) {
      const row = this.#row(part);
      const isKept = kept.includes(part);
      const needed = sizes && (part === "python" && !kept.includes("library") ? sizes.library + sizes.python : sizes[part]);
      this.dataset[part] = isKept ? "kept" : possible ? "none" : "blocked";
      row.bar.hidden = true;
      row.button.ariaDisabled = null;
      row.button.hidden = isKept || !possible;
      row.button.textContent = needed ? `${words[part].keep} (${megabytes(needed)})` : words[part].keep;
      row.said.textContent = isKept
        ? `${words[part].kept} ${sizes ? `${megabytes(sizes[part])} on this device${part === "python" ? await startSize() : ""}.` : ""}`
        : part === "python" && possible && sizes
          ? `${needed === sizes.python ? "" : `That is the library and ${megabytes(sizes.python)} for Python with numpy. `}${STARTED}`
          : "";
    }
    if (!possible) this.#say("This browser does not let the site store anything, so it cannot be kept offline. Reading works as before.");
    if (this.#remove) this.#remove.hidden = kept.length === 0;
  }

  /** @param {{part: Part, done: number, total: number}} progress */
  #show({ part, done, total }) {
    const row = this.#row(part);
    this.dataset[part] = "fetching";
    row.button.textContent = words[part].keep;
    row.bar.hidden = false;
    row.progress.max = total;
    row.progress.value = done;
    row.count.textContent = portion(done, total);
  }

  /** @param {string} text */
  #say(text) {
    this.#row("library").said.textContent = text;
  }

  /** @param {Part} part */
  #row(part) {
    return /** @type {Record<Part, ReturnType<typeof drawRow>>} */ (this.#rows)[part];
  }
}

const STARTED = `After the first Run, ${Math.round(START_BYTES / 1e6)} MB more are kept: its memory, so that it starts sooner.`;

/** Of the memory that it starts from, if it is there. */
async function startSize() {
  const { snapshotSize } = await import("../core/python-snapshot.js");
  const bytes = await snapshotSize();
  return bytes ? `, and ${megabytes(bytes)} for a quicker start` : "";
}

/** @param {Part} part */
function drawRow(part) {
  const button = make("button", { type: "button", className: "button", textContent: words[part].keep });
  const progress = make("progress", { ariaLabel: words[part].keep });
  const count = make("span", { className: "keep-count" });
  const bar = make("div", { className: "keep-bar", hidden: true });
  const said = make("p", { className: "keep-said", role: "status" });
  const whole = make("div", { className: `keep-row keep-${part}` });
  bar.append(progress, count);
  whole.append(button, bar, said);
  return { element: whole, button, bar, progress, count, said };
}

customElements.define("keep-offline", KeepOffline);
