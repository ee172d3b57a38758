// A version of the site: which files it holds, what an address means in it, and which stored contents it needs.

/** @typedef {{path: string, sha256: string, bytes: number, pack: string}} SiteFile `path` is relative to the site's root. */
/** @typedef {{name: string, files: Map<string, SiteFile>, text: string}} Version `text` is its manifest, as it was fetched. */
/** @typedef {{file: SiteFile} | {redirect: string} | null} Place */

export const packNames = ["library", "python", "numpy"];

/**
 * The version that offline.json describes. Throws where its name is not the hash of what it lists: it was cut, or is no manifest.
 * @param {string} text @returns {Promise<Version>}
 */
export async function readVersion(text) {
  const { version, packs } = parsed(text);
  if ((await sha256(new TextEncoder().encode(JSON.stringify(packs)))) !== version) {
    throw new Error("offline.json is not what its version says");
  }
  const files = new Map();
  for (const pack of packNames) {
    for (const [path, hash, bytes] of packs[pack].files) files.set(path, { path, sha256: hash, bytes, pack });
  }
  return { name: version, files, text };
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("offline.json is a page, as of a network that wants a login first");
  }
}

/** Hex digest. @param {BufferSource} content */
export async function sha256(content) {
  const digest = await crypto.subtle.digest("SHA-256", content);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * An address as a path in the site: no query, no `#part`, percent signs decoded. Null outside the site.
 * @param {string} href @param {string} root with a closing slash
 */
export function pathOf(href, root) {
  const { origin, pathname } = new URL(href);
  const address = origin + pathname;
  if (!address.startsWith(root)) return null;
  try {
    return decodeURIComponent(address.slice(root.length));
  } catch {
    return null; // a stray % is nobody's address
  }
}

/**
 * What is at a path: a file, the folder that was meant without its slash, or nothing.
 * @param {Version} version @param {string} path @returns {Place}
 */
export function placeAt(version, path) {
  const file = version.files.get(path === "" || path.endsWith("/") ? `${path}index.html` : path);
  if (file) return { file };
  return version.files.has(`${path}/index.html`) ? { redirect: `${path}/` } : null;
}

/**
 * The address to fetch a file from, relative to the root: a page's is its folder, which every host answers without a detour.
 * @param {string} path
 */
export const addressOf = (path) =>
  encodeURI(path.replace(/(^|\/)index\.html$/, "$1"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");

/**
 * Could a tab that has loaded these paths be showing this version? Scripts and styles carry a hash of their content in their name.
 * @param {Version} version @param {string[]} paths
 */
export const couldBe = (version, paths) => paths.filter((path) => /\.(js|css)$/.test(path)).every((path) => version.files.has(path));

/** The files of these packs. @param {Version} version @param {string[]} packs */
export const filesOf = (version, packs) => [...version.files.values()].filter((file) => packs.includes(file.pack));

/** @param {SiteFile[]} files */
export const bytesOf = (files) => files.reduce((sum, file) => sum + file.bytes, 0);

/** The hashes that these versions still need. @param {Version[]} versions */
export const neededBy = (versions) => new Set(versions.flatMap((version) => Array.from(version.files.values(), (file) => file.sha256)));

const mediaTypes = /** @type {Record<string, string>} */ ({
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  webmanifest: "application/manifest+json",
  txt: "text/plain; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  ico: "image/x-icon",
  woff2: "font/woff2",
  wasm: "application/wasm",
  zip: "application/zip",
});

/** The Content-Type of a file, from its name: equal contents are stored once, whatever they are called. @param {string} path */
export const mediaType = (path) => mediaTypes[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
