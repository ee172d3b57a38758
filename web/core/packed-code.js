// A program packed into an address and out of it: compressed by the browser, bounded, and never more than text to be shown. Pure.

/** @typedef {import("./drafts.js").Source} Source */
/** @typedef {import("./code-link.js").CodeInLink} CodeInLink */

const VERSION = 1;
export const LONGEST_CODE = 20_000; // characters
const LONGEST_CONTENT = 16_000;
/** What cannot be seen may not come through a link: controls, marks of direction, characters of no width. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const SAY = {
  none: "This browser cannot pack code into a link.",
  long: `This code is too long for a link, which carries ${LONGEST_CODE.toLocaleString("en")} characters. Send the code itself.`,
  unseen: "This code holds characters that cannot be seen, which a link does not carry.",
  large: "The link holds more code than this page takes from one, so it is left out.",
  damaged: "The code in the link is damaged, perhaps cut short on its way, so it is left out. Ask for the link again.",
  hidden: "The code in the link holds characters that cannot be seen, so it is left out.",
  newer: "The code in the link was made by a newer edition of this site, so it is left out. Reloading the page may bring that edition.",
};

/** Why code cannot go into a link, or come out of one, in words for the reader. */
export class CodeLinkProblem extends Error {}

/** The fragment that holds `text`. Throws a {@link CodeLinkProblem}. @param {string} id @param {string} text @param {Source} source what it was written over @returns {Promise<string>} */
export const codeHash = async (id, text, source) => {
  if (text.length > LONGEST_CODE) throw new CodeLinkProblem(SAY.long);
  if (UNSEEN.test(text)) throw new CodeLinkProblem(SAY.unseen);
  if (typeof CompressionStream === "undefined") throw new CodeLinkProblem(SAY.none);
  const packed = base64url(
    await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate")), Number.POSITIVE_INFINITY),
  );
  if (packed.length > LONGEST_CONTENT) throw new CodeLinkProblem(SAY.long);
  return `#${id}~py${VERSION}.${fingerprint(source)}.${packed}`;
};

/** The code itself, and whether it was written over `source`. Throws a {@link CodeLinkProblem}. @param {CodeInLink} link @param {Source} source */
export const readCode = async ({ version, content }, source) => {
  if (version !== VERSION) throw new CodeLinkProblem(version > VERSION ? SAY.newer : SAY.damaged);
  if (content.length > LONGEST_CONTENT) throw new CodeLinkProblem(SAY.large);
  const [, over, packed] = /^([0-9a-f]{8})\.([\w-]+)$/.exec(content) ?? [];
  if (!packed) throw new CodeLinkProblem(SAY.damaged);
  if (typeof DecompressionStream === "undefined") throw new CodeLinkProblem(SAY.none);
  const text = await unpacked(packed);
  if (text.length > LONGEST_CODE) throw new CodeLinkProblem(SAY.large);
  if (UNSEEN.test(text)) throw new CodeLinkProblem(SAY.hidden);
  return { text, current: over === fingerprint(source) };
};

/** @param {string} packed */
const unpacked = async (packed) => {
  try {
    const stream = new Blob([bytesFrom(packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await bytesOf(stream, 4 * LONGEST_CODE));
  } catch (problem) {
    throw problem instanceof CodeLinkProblem ? problem : new CodeLinkProblem(SAY.damaged);
  }
};

/** All that a stream gives, which is not to be more than `most`: a short link can unfold into a gigabyte. @param {ReadableStream<Uint8Array>} stream @param {number} most */
const bytesOf = async (stream, most) => {
  const pieces = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new CodeLinkProblem(SAY.large);
    }
    pieces.push(/** @type {Uint8Array<ArrayBuffer>} */ (value));
  }
};

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** @param {string} text */
const bytesFrom = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Tells one source from another (FNV-1a); no more is asked of it. @param {Source} source */
const fingerprint = ({ before, part, after }) => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify([before, part, after]))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
};
