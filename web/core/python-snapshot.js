// The memory of a Python that has just started, kept on this device: the next one begins where that one stood.
//
// Only for a reader who keeps Python offline (python-runner.js). It is made by a worker that runs no program, under the pack's own names, and is checked like any file. Where nothing can be kept there is none.
import pack from "built:python-pack";
import { siteUrl, snapshotCache } from "./site.js";

const DIGEST = "X-Content-Digest";

/** A pack's names hold hashes of its files. What a browser does differently may have gone into the memory too. */
const key = () => {
  const names = pack.files.filter((file) => file.pack === "python").map((file) => file.name);
  return siteUrl(`.snapshot/${encodeURIComponent([...names, navigator.userAgent].join(" "))}`);
};

/** `refused`: this browser could not begin from one. @returns {Promise<{bytes: ArrayBuffer | null, refused: boolean}>} */
export const readSnapshot = async () => {
  try {
    const kept = await (await caches.open(snapshotCache)).match(key());
    if (!kept) return { bytes: null, refused: false };
    const bytes = await kept.arrayBuffer();
    if (bytes.byteLength === 0) return { bytes: null, refused: true };
    return { bytes: (await digestOf(bytes)) === kept.headers.get(DIGEST) ? bytes : null, refused: false };
  } catch {
    return { bytes: null, refused: false };
  }
};

/** Takes the place of any other. @param {ArrayBuffer} bytes none: this browser cannot begin from a snapshot */
export const keepSnapshot = async (bytes) => {
  try {
    const digest = await digestOf(bytes);
    await caches.delete(snapshotCache); // first, since the room may not be enough for two
    await (await caches.open(snapshotCache)).put(
      key(),
      new Response(bytes, { headers: { [DIGEST]: digest, "Content-Length": String(bytes.byteLength) } }),
    );
  } catch {
    // Blocked, or full: the next visit starts as this one did.
  }
};

/** How many bytes it takes on this device. */
export const snapshotSize = async () => {
  const kept = await caches
    .open(snapshotCache)
    .then((cache) => cache.match(key()))
    .catch(() => undefined);
  return Number(kept?.headers.get("Content-Length") ?? 0);
};

/** @param {ArrayBuffer} bytes */
const digestOf = async (bytes) =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
