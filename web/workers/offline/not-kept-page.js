// The page for an address that exists, when there is no network and the page was never read: what can be read instead.
import { addressOf, mediaType } from "../../core/versions.js";
import { contentOf, root } from "./store.js";

/** @param {import("../../core/versions.js").Version} version */
export async function notKeptPage(version) {
  const style = [...version.files.keys()].find((path) => /^assets\/style-.*\.css$/.test(path));
  const links = (await keptPages(version)).map(({ address, title }) => `<li><a href="${root}${address}">${title}</a></li>`);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not on this device</title>
${style ? `<link rel="stylesheet" href="${root}${style}">` : ""}
<main class="page"><article class="prose">
<h1>This page is not on this device</h1>
<p>There is no network, and this page was not read before. With a network, “Keep offline” fetches the whole library.</p>
${links.length ? `<p>What is here:</p><ul>${links.join("")}</ul>` : ""}
</article></main>
</html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": mediaType("index.html") } });
}

/** @param {import("../../core/versions.js").Version} version */
async function keptPages(version) {
  const pages = [];
  for (const file of version.files.values()) {
    if (!file.path.endsWith("index.html")) continue;
    const content = await contentOf(file);
    if (!content) continue;
    const html = await new Response(content).text();
    // The title comes from our own page, escaped there.
    pages.push({ address: addressOf(file.path), title: /<title>([^<]*)/.exec(html)?.[1].split(" · ")[0] ?? file.path });
  }
  return pages;
}
