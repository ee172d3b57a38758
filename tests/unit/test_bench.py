"""The bench's arithmetic and the texts of its generated libraries, with numbers that can be checked in the head."""

from __future__ import annotations

import json
import random

import pytest

from gpubites.bench.copies import copied, plain_markdown
from gpubites.bench.figures import Weight, compared, grown_most, grows, paths_to_fetch, percentile, table, weigh
from gpubites.library import Library


def manifest(**files: str) -> str:
    """The text of an offline.json whose library holds these files, name → hash."""
    return json.dumps({"packs": {"library": {"files": [[name, digest, 1] for name, digest in files.items()]}}})


def test_what_compression_would_not_shrink_is_weighed_as_it_is() -> None:
    noise = random.Random(1).randbytes(500)
    assert weigh([noise]) == Weight(files=1, raw=500, brotli=500, gzip=500)
    mixed = weigh([noise, b"word " * 200])
    assert (mixed.files, mixed.raw) == (2, 1500)
    assert 500 < mixed.brotli < mixed.gzip < 550


def test_each_body_is_compressed_alone() -> None:
    body = b"the same sentence in two files, which share no dictionary on their way"
    assert weigh([body, body]).brotli == 2 * weigh([body]).brotli


def test_an_update_fetches_what_has_a_new_hash() -> None:
    before = manifest(same="1", changed="2", gone="3", moved_from="4")
    after = manifest(same="1", changed="5", moved_to="4", added="6")
    assert paths_to_fetch(before, after) == ["changed", "added"]


def test_a_projection_multiplies_what_comes_with_bites_and_nothing_else() -> None:
    assert Weight(2, 100, 41, 50).times(2.5) + Weight(1, 9, 8, 7) == Weight(6, 259, 110, 132)
    assert [
        path
        for path in ("b/roofline/index.html", "search.json", "assets/posters/x.webp", "s/mem/index.html", "about/freshness/index.html")
        if not grows(path)
    ] == []
    assert [
        path
        for path in (
            "assets/app-1.js",
            "assets/style-1.css",
            "assets/icons/app-192.png",
            "about/index.html",
            "notebooks/roofline/index.html",
        )
        if grows(path)
    ] == []


def test_growth_is_a_ratio_not_a_difference() -> None:
    assert grown_most({"large": 1000, "small": 10}, {"large": 1100, "small": 15, "new": 9}) == "small"


@pytest.mark.parametrize(("percent", "value"), [(0, 1), (50, 10), (95, 19), (100, 20)])
def test_a_percentile_is_a_value_that_was_measured(percent: float, value: float) -> None:
    assert percentile(range(20, 0, -1), percent) == value


def test_a_ratio_is_ours_over_theirs() -> None:
    assert compared("build", 3, "s", 2, "Material") == ["build", "3.0 s", "Material 2.0 s", "1.50x"]
    assert compared("build", 3, "s") == ["build", "3.0 s", "", ""]
    assert compared("blocked", 3, "ms", 0, "Material")[-1] == ""


def test_a_table_aligns_and_adds_what_the_budgets_know() -> None:
    rows = [["page", "1,234.5"], ["a longer name", "6.0"]]
    assert table(["what", "kB"], rows, {"page": ("60 kB", "Starlight 60")}).split("\n") == [
        "what                kB  budget  peers",
        "-------------  -------  ------  ------------",
        "page           1,234.5  60 kB   Starlight 60",
        "a longer name      6.0",
    ]


def test_a_copy_leads_to_the_copies_of_its_number() -> None:
    text = """---
prereqs: [roofline, warps-and-simt]
aliases: [old-name]
---
A [roof](../perf/roofline.md), [warps](../hw/warps-and-simt.md), the word roofline, ![it](../../assets/figures/roofline.svg)

### How high? {#q-roofline-height numeric="3"}
"""
    assert (
        copied(text, ["roofline", "coalescing"], 4)
        == """---
prereqs: [roofline-4, warps-and-simt]
aliases: []
---
A [roof](../perf/roofline-4.md), [warps](../hw/warps-and-simt.md), the word roofline, ![it](../../assets/figures/roofline.svg)

### How high? {#q-roofline-height-4 numeric="3"}
"""
    )


def test_plain_markdown_holds_the_text_and_the_code_and_none_of_our_grammar(library: Library) -> None:
    bite = library.by_slug["coalescing"]
    text = plain_markdown(bite, library)
    assert text.startswith(f"# {bite.title}\n\n{bite.question}\n")
    assert "(fact:" not in text
    assert "src=" not in text
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        part = snippet and snippet.part(fence.part)
        assert part
        assert f"```{fence.language}\n{part.text}```" in text
