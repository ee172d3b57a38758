// From the server into the store: every file is checked against its hash before it counts, and a version counts only as a whole.
import { addressOf, bytesOf, filesOf, packNames, readVersion, sha256 } from "../../core/versions.js";
import { adopt, contentOf, keepContent, noteNewest, root, storedHashes, sweep } from "./store.js";

/** @typedef {import("../../core/versions.js").Version} Version */
/** @typedef {import("../../core/versions.js").SiteFile} SiteFile */
/** @typedef {{done: number, total: number}} Progress bytes */
/** @typedef {{state: "kept", version: string} | {state: "more"} | {state: "failed", reason: string, message: string}} Outcome */

const AT_ONCE = 6;
const ATTEMPTS = 3;
const STALLED_MS = 30_000;
// A browser ends a worker that handles one message for minutes. The page asks again until nothing is missing.
const SLICE_MS = 20_000;

/** What the server sent is not what its list of files says. */
export class Mismatch extends Error {}

let turn = Promise.resolve(/** @type {unknown} */ (null));

/**
 * One job after the other: a sweep in the middle of a download would take what has just come in.
 * @template T @param {() => Promise<T>} job @returns {Promise<T>}
 */
export function inTurn(job) {
  const done = turn.then(job);
  turn = done.catch(() => null);
  return done;
}

/** The version that the server has now. */
export async function newestVersion() {
  const response = await fetch(`${root}offline.json`, { cache: "no-cache", signal: AbortSignal.timeout(STALLED_MS) });
  if (!response.ok) throw new Mismatch(`offline.json: status ${response.status}`);
  const text = await response.text();
  const version = await readVersion(text).catch((error) => {
    throw new Mismatch(error.message);
  });
  await noteNewest(version);
  return version;
}

/**
 * Fetches what the newest version's packs still lack, for as long as one message may take. A file that does not match means that the
 * site was deployed in between, so it starts again with the list that is newest then. What has come in stays and is not fetched twice.
 * @param {string[]} packs @param {(progress: Progress) => void} report @returns {Promise<Outcome>}
 */
export const fetchPacks = (packs, report) =>
  inTurn(async () => {
    const deadline = Date.now() + SLICE_MS;
    let problem;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        const version = await newestVersion();
        if (!(await fetchMissing(filesOf(version, packs), report, deadline))) return { state: "more" };
        await adopt(
          version,
          packNames.filter((pack) => packs.includes(pack)),
        );
        await sweep();
        return { state: "kept", version: version.name };
      } catch (error) {
        problem = error;
        if (!(error instanceof Mismatch)) break;
      }
    }
    return failure(problem);
  });

/** Keeps what a tab of this version has read. What fails is left for another visit. @param {Version} version @param {string[]} paths */
export const remember = (version, paths) =>
  inTurn(async () => {
    const files = new Set([...paths, "index.html", "404.html"].map((path) => version.files.get(path)));
    for (const file of files) {
      if (file?.pack !== "library" || (await contentOf(file))) continue;
      await download(file, () => {})
        .then((content) => keepContent(file, content))
        .catch(() => {});
    }
  });

/**
 * The file's bytes, once they are what its hash says. A copy in the browser's own cache will do; a wrong one is asked for again.
 * @param {SiteFile} file @param {(bytes: number) => void} onBytes
 */
export async function download(file, onBytes) {
  for (const cache of /** @type {RequestCache[]} */ (["force-cache", "reload"])) {
    const content = await fetchContent(file, cache, onBytes);
    if (content && (await sha256(content)) === file.sha256) return content;
    onBytes(-(content?.length ?? 0));
  }
  throw new Mismatch(file.path);
}

/**
 * False where the deadline came first.
 * @param {SiteFile[]} files @param {(progress: Progress) => void} report @param {number} deadline
 */
async function fetchMissing(files, report, deadline) {
  const stored = await storedHashes();
  const missing = new Map(files.filter((file) => !stored.has(file.sha256)).map((file) => [file.sha256, file]));
  const queue = [...missing.values()];
  const total = bytesOf(files);
  let done = total - bytesOf(files.filter((file) => missing.has(file.sha256)));
  const count = (/** @type {number} */ bytes) => {
    done += bytes;
    report({ done: Math.min(done, total), total });
  };
  count(0);
  let broken = false;
  const fetchInTurn = async () => {
    while (queue.length && !broken && Date.now() < deadline) {
      const file = /** @type {SiteFile} */ (queue.shift());
      await keepContent(file, await download(file, count));
    }
  };
  const lanes = Array.from({ length: AT_ONCE }, () =>
    fetchInTurn().catch((error) => {
      broken = true;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === "rejected");
  if (failed) throw failed.reason;
  return queue.length === 0;
}

/**
 * What the server sends for a file. Its status does not count, its hash will: many hosts give the 404 page that status under its own name.
 * @param {SiteFile} file @param {RequestCache} cache @param {(bytes: number) => void} onBytes
 */
async function fetchContent(file, cache, onBytes) {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), STALLED_MS);
  try {
    const response = await fetch(root + addressOf(file.path), { cache, signal: stalled.signal });
    if (!response.body) return null;
    const parts = [];
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), STALLED_MS);
      parts.push(value);
      onBytes(value.length);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong, in words for the reader. @param {unknown} problem @returns {Outcome} */
export function failure(problem) {
  const named = /** @type {Error} */ (problem);
  if (problem instanceof Mismatch) {
    const what = `The server's files do not match its list (${named.message})`;
    const message = `${what}: the site may be in the middle of an update. Try again in a few minutes.`;
    return { state: "failed", reason: "mismatch", message };
  }
  if (named?.name === "QuotaExceededError") {
    return {
      state: "failed",
      reason: "full",
      message: "There is not enough room on this device. Free some space, then try again.",
    };
  }
  if (["TypeError", "AbortError", "TimeoutError"].includes(named?.name)) {
    return {
      state: "failed",
      reason: "network",
      message: "The network went away. What has come in is kept: try again to fetch the rest.",
    };
  }
  return { state: "failed", reason: "storage", message: `The browser could not store the files (${named?.message}).` };
}
