// Recorded frames: fetched once, when a simulator is first touched, and inflated by the browser.

/** @type {Map<string, Promise<import("./lab.js").Frame[]>>} */
const fetched = new Map();

/** Rejects where they cannot be had; the next call tries again. @param {string} url */
export const framesAt = (url) => {
  const frames = fetched.get(url) ?? inflate(url);
  fetched.set(url, frames);
  frames.catch(() => fetched.delete(url));
  return frames;
};

/** @param {string} url */
const inflate = async (url) => {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
  const kept = await new Response(response.body.pipeThrough(new DecompressionStream("deflate"))).json();
  return read(kept);
};

/** A picture's parts stand once for all of them (`frames_file` in src/gpubites/frame.py). @param {any} kept @returns {import("./lab.js").Frame[]} */
export const read = ({ pictures, parts, tables, results, says }) =>
  pictures.map((/** @type {number[]} */ places, /** @type {number} */ at) => ({
    svg: places.map((place) => parts[place]).join(""),
    table: tables[at],
    result: results[at],
    says: says[at],
  }));
