"""What others find on the same pages: Material's search as it comes, and Pagefind. Each runs in a browser, with its own scripts."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from gpubites.bench import copies, visits
from gpubites.library import Library

MOST = 10  # results of each query

# The four messages of Material's worker: 0 set up, 1 ready, 2 query, 3 result. Each item is a page with its sections, best first.
ASK_MATERIAL = """async ([script, queries]) => {
  const index = await (await fetch("search/search_index.json")).json();
  const worker = new Worker(script);
  const answer = (message, type) => new Promise((resolve) => {
    worker.onmessage = ({ data }) => { if (data.type === type) resolve(data.data); };
    worker.postMessage(message);
  });
  await answer({ type: 0, data: { ...index, options: { suggest: false } } }, 1);
  const found = [];
  for (const query of queries) {
    const { items } = await answer({ type: 2, data: query }, 3);
    found.push(items.map(([page]) => page.location.split("#")[0]));
  }
  return found;
}"""
ASK_PAGEFIND = """async ([queries, most]) => {
  const pagefind = await import("/pagefind/pagefind.js");
  await pagefind.init();
  const found = [];
  for (const query of queries) {
    const { results } = await pagefind.search(query);
    const pages = await Promise.all(results.slice(0, most).map((result) => result.data()));
    found.push(pages.map((page) => page.url));
  }
  return found;
}"""
BLANK = "<!doctype html><title>blank</title>"


def material(browser: Browser, library: Library, folder: Path, queries: Sequence[str]) -> list[list[str]]:
    """Slugs for each query, best first: the text of the bites in Material as it comes."""
    port = visits.free_port()
    project = copies.stock_project(library, folder / "stock", f"http://127.0.0.1:{port}/")
    stock = copies.build(project, folder / "stock-site")
    (script,) = (stock.site / "assets/javascripts/workers").glob("search.*.min.js")
    (stock.site / "blank.html").write_text(BLANK)
    with visits.serve(stock.site, port=port) as host, visits.tab(browser) as page:
        page.goto(f"{host.url}blank.html")
        found: list[list[str]] = page.evaluate(ASK_MATERIAL, [script.relative_to(stock.site).as_posix(), list(queries)])
    slugs = {copies.stock_path(bite): bite.slug for bite in library.bites}
    return [[slugs[location] for location in locations if location in slugs] for locations in found]


def pagefind(browser: Browser, library: Library, site: Path, folder: Path, queries: Sequence[str]) -> list[list[str]]:
    """The same for Pagefind on the built pages of the bites."""
    pages = folder / "pages"
    for bite in library.bites:
        shutil.copytree(site / bite.url, pages / bite.url)
    command = ["npx", "pagefind", "--site", str(pages)]
    ran = subprocess.run(command, cwd=visits.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{ran.stdout}")
    (pages / "blank.html").write_text(BLANK)
    with visits.serve(pages) as host, visits.tab(browser) as page:
        page.goto(f"{host.url}blank.html")
        found: list[list[str]] = page.evaluate(ASK_PAGEFIND, [list(queries), MOST])
    slugs = {f"/{bite.url}": bite.slug for bite in library.bites}
    return [[slugs[url] for url in urls if url in slugs] for urls in found]
