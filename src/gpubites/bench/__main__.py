"""`python -m gpubites.bench [--quick]`: what the site in site/ costs, and how fast it and the tools are, as tables."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from gpubites.bench import copies, visits
from gpubites.bench.copies import Built, stock_path
from gpubites.bench.figures import Weight, compared, grown_most, grows, kilobytes, pack_paths, paths_to_fetch, percentile, table, weigh
from gpubites.bench.larger_index import larger_index
from gpubites.bite import Bite
from gpubites.library import Library, load_library
from gpubites.search.index import FOLDER

MANY = 1000  # bites of the search index that is made from the words of the real ones
FEWER = 100  # beside it
TIMES = 10  # how much larger the generated library is
VIEWS = 5  # on a slow device; the median counts
LINKS = 10  # followed
KEEP = "gpubites.keepOffline()"

PROJECTED = "the same, projected to every planned bite"
# A row's name → what it is held to (sizes: brotli), and where peers stand on pages of 600 words.
BUDGETS = {
    "first view, largest bite": ("60 kB, 10 requests", "Starlight 60 kB, Material 192"),
    "first view, smallest bite": ("60 kB, 10 requests", ""),
    "first search: box, engine, index": ("80 kB at 1,000 bites", "Pagefind 129 kB, Material 1,103"),
    "first search, 1,000 bites made of these words": ("80 kB", ""),
    "search index, all of it, every planned bite": ("120 kB", ""),
    "library pack, all there is to install": ("2,500 kB at 141 bites", ""),
    PROJECTED: ("2,500 kB", ""),
    "update, one word of a bite changed": ("100 kB", ""),
    "bite page that grew most": ("flat within 5 %", "Material 1.45x, Starlight 2.3x"),
    "build of the generated library, CPU": ("11x from 100 to 1,000", ""),
    "make check, wall": ("2 s", ""),
    "main thread blocked in a first view, 4x slower": ("0.5x", "Material 636 ms, Starlight 184"),
    "next bite, kept offline": ("0.5x", ""),
    "key press, script and layout, CPU, 4x slower, p95": ("16 ms at 1,000 bites", "Material 42-60 ms CPU, not slowed"),
    "key press to results, 4x slower, p95": ("50 ms at 1,000 bites", ""),
    "first search": ("80 kB at 1,000 bites", ""),
    "a key press, script and layout, CPU, 4x slower, p95": ("16 ms at 1,000 bites", ""),
    "a key press to results, 4x slower, p95": ("50 ms at 1,000 bites", ""),
    "Run to first output, cold": ("1.1x", "JupyterLite 3.4x"),
    "Run to first output, second run": ("10 ms", ""),
}


@dataclass(frozen=True)
class Bench:
    """The site as it lies in site/ (`here`), what it is compared with, the bites by the size of their page; `many` can be searched."""

    browser: Browser
    library: Library
    bites: list[Bite]
    here: Built
    afresh: Built
    changed: Built
    stock: Built
    stock_port: int
    many: Built
    fewer: Built


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m gpubites.bench", description="Sizes and times, beside the budgets.")
    parser.add_argument("--quick", action="store_true", help="sizes only")
    quick = parser.parse_args().quick
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    library, here = load_library(Path.cwd()), Built(Path(os.environ.get("SITE_DIR", "site")).resolve())
    if not (here.site / "offline.json").is_file():
        sys.exit(f"there is no built site in {here.site}: make site")
    bites = sorted(library.bites, key=lambda bite: len(here.body(bite.url)))
    with visits.chromium() as browser, TemporaryDirectory(prefix="gpubites-bench-") as folder:
        print(f"{os.cpu_count()} cores, {cpu_model()}, load average at start {load}, Chromium {browser.version}")
        print(f"largest bite: {bites[-1].slug}, smallest: {bites[0].slug}; kB: 1,000 bytes; brotli 11, gzip 9, each file alone")
        say("building the library, then again with one word changed, then stock Material with the same text")
        temporary, port = Path(folder), visits.free_port()
        project = copies.copy_project(library.root, temporary / "project")
        afresh = copies.build(project, temporary / "afresh", "--strict")
        copies.change_one_word(project, bites[-1])
        changed = copies.build(project, temporary / "changed", "--strict")
        stock_project = copies.stock_project(library, temporary / "stock", f"http://127.0.0.1:{port}/")
        stock = copies.build(stock_project, temporary / "stock-site")
        many = copies.with_larger_index(here, library, MANY, temporary / "many")
        fewer = copies.with_larger_index(here, library, FEWER, temporary / "fewer")
        bench = Bench(browser, library, bites, here, afresh, changed, stock, port, many, fewer)
        print_sizes(bench)
        if quick:
            return
        say(f"building {TIMES} times as many bites")
        copies.multiply(project, library, TIMES)
        generated = copies.build(project, temporary / "generated", "--strict")
        print_growth(bench, generated)
        print_times(bench, generated)
        print_search_growth(bench)


def cpu_model() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.is_file() else []
    models = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())


def print_sizes(bench: Bench) -> None:
    here, largest, smallest = bench.here, bench.bites[-1].url, bench.bites[0].url
    notebook = next((here.site / "notebooks").glob("*/index.html")).parent.relative_to(here.site).as_posix() + "/"
    pages = {"largest bite": largest, "smallest bite": smallest, "home": "", "all bites, /s/": "s/", f"/{notebook}": notebook}
    say("visiting")
    with visits.serve(here.site) as host:
        views = {f"first view, {name}": visits.first_view(bench.browser, host, path) for name, path in pages.items()}
        search = visits.first_search(bench.browser, host, largest)
    with visits.serve(bench.many.site) as host:
        search_many = visits.first_search(bench.browser, host, largest)
    with visits.serve(bench.stock.site, port=bench.stock_port) as host:
        stock_view = visits.first_view(bench.browser, host, stock_path(bench.bites[-1]))
    update = ["offline.json", *paths_to_fetch(bench.afresh.manifest, bench.changed.manifest)]
    say("compressing")

    def weighed(name: str, weight: Weight) -> list[str]:
        return [name, str(weight.files), *map(kilobytes, (weight.brotli, weight.gzip, weight.raw))]

    def row(name: str, paths: list[str], built: Built = here) -> list[str]:
        return weighed(name, weigh(map(built.body, paths)))

    library_pack = pack_paths(here.manifest, "library")
    growing, staying = ([path for path in library_pack if grows(path) is wanted] for wanted in (True, False))
    factor = len(bench.library.planned) / len(bench.library.bites)
    projected = weigh(map(here.body, growing)).times(factor) + weigh(map(here.body, staying))

    planned_index = larger_index(bench.library, len(bench.library.planned))
    rows = [
        *(row(name, paths) for name, paths in views.items()),
        row("first view, stock Material, text of the largest", stock_view, bench.stock),
        row("page HTML, largest bite", [largest]),
        row("page HTML, smallest bite", [smallest]),
        row("first search: box, engine, index", search),
        row("first search, 1,000 bites made of these words", search_many, bench.many),
        row("search index, all of it", [path for path in library_pack if path.startswith("search")]),
        weighed("search index, all of it, every planned bite", weigh(text.encode() for text in planned_index.values())),
        row("library pack, all there is to install", library_pack),
        weighed(PROJECTED, projected),
        row("python pack", pack_paths(here.manifest, "python")),
        row("numpy pack", pack_paths(here.manifest, "numpy")),
        row("update, one word of a bite changed", update, bench.changed),
    ]
    show(["what it costs", "files", "brotli kB", "gzip kB", "raw kB"], rows)


def print_growth(bench: Bench, generated: Built) -> None:
    """Raw sizes: the generated bites repeat the text of the real ones, and compress as no other library would."""
    few, urls = bench.changed, [bite.url for bite in bench.bites]
    worst = grown_most(few.sizes(urls), generated.sizes(urls))

    def row(name: str, path: str) -> list[str]:
        return compared(name, len(generated.body(path)) / 1000, "kB", len(few.body(path)) / 1000)

    packs = [sum(built.sizes(pack_paths(built.manifest, "library")).values()) / 1000 for built in (generated, few)]
    rows = [
        row("bite page that grew most", worst),
        row("home", ""),
        row("all bites, /s/", "s/"),
        row("search.json, the head of the index", "search.json"),
        compared("library pack", packs[0], "kB", packs[1]),
        compared("build of the generated library, CPU", generated.took.cpu, "s", bench.afresh.took.cpu),
        compared("build of the generated library, wall", generated.took.wall, "s", bench.afresh.took.wall),
    ]
    show([f"the library {TIMES} times over (generated copies)", f"{TIMES * len(urls)} bites", f"{len(urls)} bites", "ratio"], rows)


def print_times(bench: Bench, generated: Built) -> None:
    browser, here, stock = bench.browser, bench.here, bench.stock
    say("make check")
    check = copies.run(["make", "--silent", "check"], bench.library.root)
    with visits.serve(here.site) as ours, visits.serve(stock.site, port=bench.stock_port) as theirs:
        our_bites = [ours.url + bite.url for bite in bench.bites]
        their_bites = [theirs.url + stock_path(bite) for bite in bench.bites]
        say("first views on a slow device")
        # By turns, as with the links: a busy minute of the machine meets both.
        views = [(visits.blocked_ms(browser, our_bites[-1]), visits.blocked_ms(browser, their_bites[-1])) for _ in range(VIEWS)]
        blocked, their_blocked = (median(values) for values in zip(*views, strict=True))
        say("links, keys")
        ours_followed = visits.follow_ms(browser, our_bites[: LINKS + 1], prepare=KEEP)
        links = list(zip(ours_followed, visits.follow_ms(browser, their_bites[: LINKS + 1]), strict=True))
        link, their_link = (median(values) for values in zip(*links, strict=True))
        work, shown = visits.key_presses(browser, our_bites[-1])
        bare_key = visits.bare_key_ms(browser)
        say("Python")
        program, runner = next((snippet, bite) for bite in bench.library.bites for snippet in plain_python(bench.library, bite))
        runs = visits.run_ms(browser, ours.url + runner.url)
        lab = next(bite for bite in bench.library.bites if any(snippet.frames for snippet in bench.library.snippets_of(bite)))
        frame = visits.first_frame_ms(browser, ours.url + lab.url)
        shader = next(bite for bite in bench.library.bites if any(snippet.kind == "shader" for snippet in bench.library.snippets_of(bite)))
        between = visits.shader_frame_ms(browser, ours.url + shader.url)
        bare = visits.bare_run_ms(browser, program)
    rows = [
        compared("make check, wall", check.wall, "s"),
        compared("make check, CPU", check.cpu, "s"),
        compared("build, wall", bench.afresh.took.wall, "s", stock.took.wall, "Material"),
        compared("build, CPU", bench.afresh.took.cpu, "s", stock.took.cpu, "Material"),
        compared("main thread blocked in a first view, 4x slower", blocked, "ms", their_blocked, "Material"),
        compared("next bite, kept offline", link, "ms", their_link, "Material"),
        compared("key press, script and layout, CPU, 4x slower, p95", percentile(work, 95), "ms"),
        compared("key press to results, 4x slower, p95", percentile(shown, 95), "ms", percentile(bare_key, 95), "a bare field"),
        compared("simulator, first touch to its new picture", frame, "ms"),
        compared("shader that plays, from frame to frame", between, "ms"),
        compared("Run to first output, cold", runs.cold, "ms", bare, "bare Pyodide"),
        compared("Run to first output, next visit, plain start", runs.warm, "ms"),
        compared("Run to first output, next visit, from a snapshot", runs.snapshot, "ms"),
        compared("Run to first output, second run", runs.again, "ms"),
    ]
    show(["how fast it is: never pass or fail", "here", "beside it, in this run", "ratio"], rows)


def print_search_growth(bench: Bench) -> None:
    say(f"searching {FEWER} and {MANY} bites")
    named = (
        ("search index, all of it", "kB"),
        ("first search", "kB"),
        ("a key press, script and layout, CPU, 4x slower, p95", "ms"),
        ("a key press to results, 4x slower, p95", "ms"),
    )
    many, fewer = (_search_figures(built, bench) for built in (bench.many, bench.fewer))
    rows = [compared(name, here, unit, beside) for (name, unit), here, beside in zip(named, many, fewer, strict=True)]
    show(["the search as it grows (brotli; bites made of these words)", f"{MANY:,} bites", f"{FEWER} bites", "ratio"], rows)


def _search_figures(built: Built, bench: Bench) -> tuple[float, float, float, float]:
    """Kilobytes of the index and of a first search, milliseconds of a key press: of the main thread, and until results are seen."""
    path = bench.bites[-1].url
    index = [built.site / "search.json", *(built.site / FOLDER).iterdir()]
    with visits.serve(built.site) as host:
        first = visits.first_search(bench.browser, host, path)
        work, shown = visits.key_presses(bench.browser, host.url + path)
    sizes = weigh(file.read_bytes() for file in index), weigh(map(built.body, first))
    return sizes[0].brotli / 1000, sizes[1].brotli / 1000, percentile(work, 95), percentile(shown, 95)


def plain_python(library: Library, bite: Bite) -> list[str]:
    """The bite's first Python program, if no package is needed to run it."""
    programs = [snippet.text for snippet in library.snippets_of(bite) if snippet.kind == "python"][:1]
    return [program for program in programs if "import numpy" not in program]


def show(headings: list[str], rows: list[list[str]]) -> None:
    print(f"\n{table(headings, rows, BUDGETS)}", flush=True)


def say(what: str) -> None:
    """How far it is, apart from the tables."""
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
