// The licence texts of everything that is shipped, read from the bundle itself, so that nothing can be forgotten.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** What is shipped in binary form, with texts under vendor/licenses/. */
const VENDORED = { pyodide: "Pyodide", cpython: "CPython's standard library", numpy: "numpy" };

/**
 * One text for all. Throws where a bundled package has no licence file.
 * @param {string[]} inputs paths of the bundled files @param {string} root the project's folder
 */
export async function thirdPartyLicenses(inputs, root) {
  const packages = new Set(inputs.map((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter((name) => name));
  const texts = [];
  for (const name of [.../** @type {Set<string>} */ (packages)].filter((name) => name !== "pyodide").sort()) {
    texts.push(`${heading(name)}\n${await licenseOf(path.join(root, "node_modules", name))}`);
  }
  for (const [file, name] of Object.entries(VENDORED)) {
    texts.push(`${heading(name)}\n${await readFile(path.join(root, "vendor", "licenses", `${file}.txt`), "utf8")}`);
  }
  return texts.join("\n\n");
}

/** @param {string} folder */
async function licenseOf(folder) {
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${folder} has no licence file, so it cannot be shipped`);
  return readFile(path.join(folder, file), "utf8");
}

/** @param {string} name */
const heading = (name) => `${"=".repeat(80)}\n${name}\n${"=".repeat(80)}\n`;
