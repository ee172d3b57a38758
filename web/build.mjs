// Bundles web/ into build/web/: one small entry, hashed lazy chunks, one stylesheet, the Python pack. Offline, from node_modules and vendor/.
//
//   build/web/assets/app-<hash>.js, app-<hash>.css, chunk-<hash>.js     loaded by pages
//   build/web/assets/python/…                                            the Python pack (web/python-pack.mjs)
//   build/web/names.json                                                 for the templates {js, css}, and for the policy {frames: hashes of the scripts in our frames}
//   build/web/assets/third-party-licenses.txt                            of everything that is shipped
//   build/web/sw.js                                                      the service worker, at the site's root
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { thirdPartyLicenses } from "./licenses.mjs";
import { writePythonPack } from "./python-pack.mjs";

const web = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(web, "..", "build", "web");

const common = { bundle: true, minify: true, target: ["es2022"], logLevel: "warning", legalComments: "none" };

/** A module made here. A name for the bundler to replace would put its value into every page. @param {string} name @param {string} json */
const module = (name, json) => ({
  name,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "built" }));
    onLoad({ filter: /.*/, namespace: "built" }, () => ({ contents: json, loader: "json" }));
  },
});

// A shared module becomes a file, and so a request, of its own. These are a line or two and hold no state: who imports one gets a copy.
const copied = /\/(code-link|dom|megabytes|site)\.js$/;
const copies = {
  name: "copies",
  setup: ({ onResolve }) => {
    onResolve({ filter: copied }, ({ path: named, resolveDir, importer }) => ({
      path: path.resolve(resolveDir, named),
      suffix: `?for=${path.relative(web, importer)}`,
    }));
  },
};

await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, "assets"), { recursive: true });

const pack = await writePythonPack(path.join(out, "assets", "python"), common);

const pages = await build({
  ...common,
  entryPoints: { app: path.join(web, "main.js"), style: path.join(web, "css", "main.css") },
  outdir: path.join(out, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "chunk-[hash]",
  assetNames: "[name]-[hash]",
  format: "esm",
  loader: { ".py": "text" },
  splitting: true,
  metafile: true,
  plugins: [module("built:python-pack", JSON.stringify(pack)), copies],
});

await build({ ...common, entryPoints: [path.join(web, "sw.js")], outfile: path.join(out, "sw.js"), format: "iife" });

const emitted = Object.keys(pages.metafile.outputs).map((file) => path.basename(file));
const named = (prefix, suffix) => `assets/${emitted.find((name) => name.startsWith(prefix) && name.endsWith(suffix))}`;
const licenses = await thirdPartyLicenses(Object.keys(pages.metafile.inputs), path.join(web, ".."));
await writeFile(path.join(out, "assets", "third-party-licenses.txt"), licenses);

const names = { js: named("app-", ".js"), css: named("style-", ".css"), frames: [pack.frame.hash] };
// Last: the Makefile takes its presence for a complete build.
await writeFile(path.join(out, "names.json"), JSON.stringify(names));
