"""`python -m gpubites.bench.search_eval [--ours] [--failures]`: how often the search finds the right bite, beside what others find.

`--ours` leaves the others out. `--failures` shows which queries fail, of those that may be tuned on; those of the third are never shown.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from gpubites.bench.asking import ask
from gpubites.bench.figures import table
from gpubites.bench.search_quality import LEAST_HIT1, LEAST_HIT3, Query, by_kind, rank_of, read_queries
from gpubites.library import Library, load_library

Found = Mapping[str, Sequence[str]]  # query → slugs, best first


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m gpubites.bench.search_eval", description="Hit rates of the search.")
    parser.add_argument("--ours", action="store_true", help="leave the others out")
    parser.add_argument("--failures", action="store_true", help="show which queries fail, of those that may be tuned on")
    given = parser.parse_args()
    site, library = Path(os.environ.get("SITE_DIR", "site")).resolve(), load_library(Path.cwd())
    queries = read_queries(library.by_slug)
    texts = [query.text for query in queries]
    answers = [[bite["slug"] for bite in answer["bites"]] for answer in ask(site, texts)]
    engines: dict[str, Found] = {"ours": dict(zip(texts, answers, strict=True))}
    if not given.ours:
        engines |= _others(site, library, texts)
    for held_out in (True, False):
        chosen = [query for query in queries if query.held_out == held_out]
        goal = f"untouched: hit@1 {LEAST_HIT1}, hit@3 {LEAST_HIT3} wanted" if held_out else "tuned on"
        print(f"\n{_table(goal, chosen, engines)}")
    if given.failures:
        _print_failures(queries, engines["ours"])


def _others(site: Path, library: Library, texts: Sequence[str]) -> dict[str, Found]:
    from gpubites.bench import search_peers, visits

    print("asking Material and Pagefind", file=sys.stderr, flush=True)
    with visits.chromium() as browser, TemporaryDirectory(prefix="gpubites-search-") as folder:
        material = search_peers.material(browser, library, Path(folder), texts)
        pagefind = search_peers.pagefind(browser, library, site, Path(folder), texts)
    return {"Material": dict(zip(texts, material, strict=True)), "Pagefind": dict(zip(texts, pagefind, strict=True))}


def _table(name: str, queries: Sequence[Query], engines: Mapping[str, Found]) -> str:
    qualities = {engine: by_kind(queries, found) for engine, found in engines.items()}
    headings = [name, "n", *(f"{engine} {what}" for engine in engines for what in ("hit@1", "hit@3", "MRR"))]
    rows = []
    for kind, first in qualities["ours"].items():
        figures = [f"{figure:.3f}" for each in qualities.values() for figure in (each[kind].hit1, each[kind].hit3, each[kind].mrr)]
        rows.append([kind, str(first.count), *figures])
    return table(headings, rows, {})


def _print_failures(queries: Sequence[Query], found: Found) -> None:
    for query in queries:
        rank = rank_of(query, found[query.text])
        if query.held_out or rank == 1:
            continue
        print(f"{rank or '-'} [{query.kind}] {query.text}\n     wants {' '.join(query.slugs)}; found {' '.join(found[query.text][:4])}")


if __name__ == "__main__":
    main()
