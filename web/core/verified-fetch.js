// Downloads a file and hands it over only when it is, byte for byte, the one the build made.

/**
 * @typedef {object} Wanted
 * @property {string} url
 * @property {number} bytes
 * @property {string} sha256 in hex
 */

/** A name stands for one content forever, so any copy will do; if that is damaged, the second try goes past it. */
const TRIES = /** @type {const} */ (["force-cache", "reload"]);

/**
 * @param {Wanted} file
 * @param {{signal?: AbortSignal, onBytes?: (bytes: number) => void}} [options] `onBytes` tells how much has come so far
 * @returns {Promise<ArrayBuffer>}
 */
export async function verifiedFetch(file, options = {}) {
  for (const cache of TRIES) {
    const content = await download(file, cache, options);
    if (content && (await isWanted(content, file))) return content;
  }
  throw new Error(`${file.url} is not the file it should be`);
}

/** The content, or null where it has another length. @param {Wanted} file @param {RequestCache} cache @param {{signal?: AbortSignal, onBytes?: (bytes: number) => void}} options */
async function download(file, cache, { signal, onBytes }) {
  // Without TLS there is no crypto.subtle; then the browser checks the hash, at the price of a smooth progress bar.
  const integrity = crypto.subtle ? undefined : `sha256-${btoa(String.fromCharCode(...bytesOf(file.sha256)))}`;
  const response = await fetch(file.url, { cache, signal, integrity });
  if (!response.ok || !response.body) throw new Error(`${file.url} answered ${response.status}`);
  const content = new Uint8Array(file.bytes);
  let length = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    if (length + value.length > file.bytes) {
      await reader.cancel();
      return null;
    }
    content.set(value, length);
    length += value.length;
    onBytes?.(length);
  }
  return length === file.bytes ? content.buffer : null;
}

/** @param {ArrayBuffer} content @param {Wanted} file */
async function isWanted(content, file) {
  if (!crypto.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return bytesOf(file.sha256).every((byte, at) => byte === digest[at]);
}

/** @param {string} hex */
const bytesOf = (hex) => hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [];
