// Asks the search of a site, or of any folder with its search files, without a browser:
//
//   echo '["smem", "padding tile 33"]' | node tests/search/ask.mjs site
//
// prints a list of {bites, others, more, count, spelled, nearest, unfiltered, meant}, one for each query. A query may also be {query, level, section, run}.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { openIndex } from "../../web/core/search/index.js";
import { createSearch } from "../../web/core/search/search.js";

const [site] = process.argv.slice(2);
const read = async (file) => JSON.parse(await readFile(path.join(site, file), "utf8"));
const search = createSearch(openIndex(await read("search.json"), read));
const answers = [];
for (const asked of JSON.parse(await text(process.stdin))) {
  const { query, ...narrowing } = typeof asked === "string" ? { query: asked } : asked;
  const { rest, ...first } = await search.find(query, { level: "", section: "", run: false, ...narrowing });
  const { others, bites } = await rest();
  answers.push({ ...first, bites: [...first.bites, ...bites], others });
}
console.log(JSON.stringify(answers));
