import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { megabytes, portion } from "../../web/core/megabytes.js";
import { addressOf, couldBe, filesOf, mediaType, neededBy, pathOf, placeAt, readVersion } from "../../web/core/versions.js";

const root = "https://example.org/gpu-bites/";

/** A manifest as the build writes it. */
function manifest(paths, python = []) {
  const entry = (path) => [path, createHash("sha256").update(path).digest("hex"), path.length];
  const pack = (list) => ({ bytes: list.join("").length, files: list.map(entry) });
  const packs = { library: pack(paths), python: pack(python), numpy: pack([]) };
  return JSON.stringify({ version: createHash("sha256").update(JSON.stringify(packs)).digest("hex"), packs });
}

const site = () =>
  readVersion(manifest(["404.html", "index.html", "b/roofline/index.html", "assets/app-A1.js", "é.svg"], ["assets/python/py.wasm"]));

test("a manifest that was cut or changed is refused", async () => {
  const text = manifest(["index.html", "b/roofline/index.html"]);
  await assert.rejects(readVersion(text.replace('"b/roofline/index.html"', '"b/rooflime/index.html"')), /not what its version says/);
  await assert.rejects(readVersion(text.slice(0, -1)));
  assert.equal((await readVersion(text)).files.size, 2);
});

test("an address becomes a path in the site, without its query and part", () => {
  assert.equal(pathOf(`${root}b/roofline/?from=mail#quiz`, root), "b/roofline/");
  assert.equal(pathOf(root, root), "");
  assert.equal(pathOf(`${root}%C3%A9.svg`, root), "é.svg");
});

test("an address outside the site, or one that is no address, is no path", () => {
  assert.equal(pathOf("https://example.org/other/b/roofline/", root), null);
  assert.equal(pathOf("https://elsewhere.org/gpu-bites/", root), null);
  assert.equal(pathOf(`${root}%zz`, root), null);
});

test("a folder is answered with its page, with or without naming it", async () => {
  const version = await site();
  for (const path of ["b/roofline/", "b/roofline/index.html"]) {
    assert.equal(placeAt(version, path)?.file.path, "b/roofline/index.html");
  }
  assert.equal(placeAt(version, "")?.file.path, "index.html");
});

test("a folder without its slash is sent to the one with it", async () => {
  assert.deepEqual(placeAt(await site(), "b/roofline"), { redirect: "b/roofline/" });
});

test("nothing is at an unknown path", async () => {
  const version = await site();
  for (const path of ["b/", "b", "b/rooflin/", "b/roofline/x", "assets/"]) assert.equal(placeAt(version, path), null);
});

test("a page is fetched from its folder's address, with odd characters escaped", () => {
  assert.equal(addressOf("index.html"), "");
  assert.equal(addressOf("b/roofline/index.html"), "b/roofline/");
  assert.equal(addressOf("404.html"), "404.html");
  assert.equal(addressOf("myindex.html"), "myindex.html");
  assert.equal(addressOf("a b?#é.svg"), "a%20b%3F%23%C3%A9.svg");
});

test("a tab shows a version only if the version holds all of the tab's scripts and styles", async () => {
  const version = await site();
  assert.ok(couldBe(version, ["b/roofline/", "assets/app-A1.js"]));
  assert.ok(couldBe(version, ["gone.png", "assets/app-A1.js"]));
  assert.ok(!couldBe(version, ["b/roofline/", "assets/app-B2.js"]));
});

test("packs hold their own files, and several versions need all of theirs", async () => {
  const version = await site();
  assert.deepEqual(
    filesOf(version, ["python", "numpy"]).map((file) => file.path),
    ["assets/python/py.wasm"],
  );
  const next = await readVersion(manifest(["index.html", "new.html"]));
  assert.equal(neededBy([version, next]).size, 7); // index.html is the same in both
});

test("a file's type comes from its name", () => {
  assert.equal(mediaType("b/roofline/index.html"), "text/html; charset=utf-8");
  assert.equal(mediaType("assets/app-A1.js"), "text/javascript; charset=utf-8");
  assert.equal(mediaType("assets/python/pyodide.asm-1a2b.wasm"), "application/wasm");
  assert.equal(mediaType("LICENSE"), "application/octet-stream");
});

test("sizes are said in megabytes", () => {
  assert.equal(megabytes(2_149_000), "2.1 MB");
  assert.equal(portion(1_200_000, 2_149_000), "1.2 of 2.1 MB");
});
