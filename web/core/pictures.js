// Finds the pictures among what a program prints: an `<svg …>` that begins a line, up to the `</svg>` that ends one. Pure.

/** @typedef {{text: string} | {picture: string}} Printed */

const START = /^(?=<svg[\s>])/m;
const END = /<\/svg>[ \t]*\n/;
/** The beginning of a beginning: what comes next decides. */
const PERHAPS = /(?:^|\n)(<(?:s(?:v(?:g)?)?)?)$/;
const LONGEST = 200_000; // characters

export class PictureReader {
  #open = "";
  #atLineStart = true;

  /** What is text, and what is a picture. Of a picture that is not complete nothing comes yet. @param {string} text @returns {Printed[]} */
  take(text) {
    /** @type {Printed[]} */
    const found = [];
    const add = (/** @type {string} */ plain) => {
      if (plain) found.push({ text: plain });
      if (plain) this.#atLineStart = plain.endsWith("\n");
    };
    let rest = this.#open + text;
    this.#open = "";
    while (rest) {
      const start = this.#startIn(rest);
      if (start < 0) {
        const perhaps = this.#atLineStart || rest.includes("\n") ? (PERHAPS.exec(rest)?.[1].length ?? 0) : 0;
        this.#open = rest.slice(rest.length - perhaps);
        add(rest.slice(0, rest.length - perhaps));
        break;
      }
      add(rest.slice(0, start));
      rest = rest.slice(start);
      const end = END.exec(rest);
      if (!end && rest.length <= LONGEST) {
        this.#open = rest;
        break;
      }
      const length = end ? end.index + end[0].length : rest.length;
      if (end && length <= LONGEST) found.push({ picture: rest.slice(0, length) });
      else add(rest.slice(0, length));
      rest = rest.slice(length);
    }
    return found;
  }

  /** The program has ended: what is open is a picture without a last line break, or text. @returns {Printed[]} */
  end() {
    const open = this.#open;
    this.#open = "";
    if (!open) return [];
    return /^<svg[\s>][\s\S]*<\/svg>[ \t]*$/.test(open) ? [{ picture: open }] : [{ text: open }];
  }

  /** @param {string} text */
  #startIn(text) {
    if (this.#atLineStart) return text.search(START);
    const line = text.indexOf("\n") + 1;
    const start = line ? text.slice(line).search(START) : -1;
    return start < 0 ? -1 : line + start;
  }
}
