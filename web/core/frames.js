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
  return new Response(response.body.pipeThrough(new DecompressionStream("deflate"))).json();
};
