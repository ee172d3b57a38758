// Writes the Python pack: Pyodide's WebAssembly and standard library, numpy's wheel, and the worker script that runs them. Offline.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = path.dirname(fileURLToPath(import.meta.url));
const pyodide = path.dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const vendor = path.join(web, "..", "vendor");

/**
 * Fills `outDir` and describes it. Every name holds a hash of its content, so that a file can be cached forever.
 * @param {string} outDir
 * @param {import("esbuild").BuildOptions} esbuildOptions
 * @returns {Promise<import("./core/python-pack.js").PythonPack>}
 */
export async function writePythonPack(outDir, esbuildOptions) {
  const full = JSON.parse(await readFile(path.join(pyodide, "pyodide-lock.json"), "utf8"));
  const numpy = full.packages.numpy;
  const lock = JSON.stringify({ info: full.info, packages: { numpy } });
  const worker = await bundle("python.js", { ...esbuildOptions, define: { PYODIDE_LOCK: JSON.stringify(lock) } });
  const wheel = await readFile(path.join(vendor, numpy.file_name));
  if (sha256(wheel, "hex") !== numpy.sha256) throw new Error(`vendor/${numpy.file_name} is not the wheel that Pyodide's lock names`);

  await mkdir(outDir, { recursive: true });
  /** @param {string} as @param {"python" | "numpy"} pack @param {Uint8Array} content */
  const put = async (as, pack, content) => {
    const digest = sha256(content, "hex");
    const { name: stem, ext } = path.parse(as);
    const name = `${stem}-${digest.slice(0, 8)}${ext}`;
    await writeFile(path.join(outDir, name), content);
    return { name, as, bytes: content.byteLength, sha256: digest, pack };
  };
  const files = [
    await put("worker.js", "python", Buffer.from(worker)),
    await put("pyodide.asm.wasm", "python", await readFile(path.join(pyodide, "pyodide.asm.wasm"))),
    await put("python_stdlib.zip", "python", await readFile(path.join(pyodide, "python_stdlib.zip"))),
    await put(numpy.file_name, "numpy", wheel),
  ];
  const script = (await bundle("python-frame.js", esbuildOptions)).trim();
  if (/<\/script|<!--/i.test(script)) throw new Error("the frame's script would end its own element");
  return { worker: files[0].name, files, frame: { script, hash: `sha256-${sha256(script, "base64")}` } };
}

/**
 * A script of workers/ as one classic script: a blob worker and an inline script have no module to import.
 * @param {string} entry
 * @param {import("esbuild").BuildOptions} options
 */
async function bundle(entry, options) {
  const result = await build({
    ...options,
    entryPoints: [path.join(web, "workers", entry)],
    write: false,
    format: "iife",
    platform: "browser",
    loader: { ".py": "text" },
    external: ["node:*"], // Pyodide's branches for Node, never taken in a browser
    define: { ...options.define, "import.meta.url": JSON.stringify("https://python.invalid/") },
  });
  return result.outputFiles[0].text;
}

/** @param {string | Uint8Array} content @param {"hex" | "base64"} encoding */
const sha256 = (content, encoding) => createHash("sha256").update(content).digest(encoding);
