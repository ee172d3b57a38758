"""First uses of terms lead to their definitions: once, in prose, and where the word means that."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gpubites.library import Library, load_library
from gpubites.render.holes import Holes
from gpubites.render.page import render_bite
from gpubites.render.terms import FirstUses
from gpubites.terms import Term

GOOD = load_library(Path(__file__).parents[1] / "rules" / "good")
BITE = GOOD.by_slug["coalescing"]


def term(name: str, *aliases: str, sections: tuple[str, ...] = ()) -> Term:
    return Term(name, aliases, "elsewhere", f"What {name} means.", {}, 1, sections)


TERMS = (
    term("warp"),
    term("SM", "streaming multiprocessor"),
    term("KV cache"),
    term("kernel", sections=("mem",)),
    term("stream", sections=("cuda",)),
)


def linked(*texts: str, library: Library | None = None) -> list[str]:
    """The words that became links, with the anchor they lead to."""
    holes = Holes()
    uses = FirstUses(BITE, library or replace(GOOD, terms=TERMS), holes, "../../")
    html = holes.fill("\n".join(uses.link(text) for text in texts))
    return [f"{word}#{anchor}" for anchor, word in re.findall(r'<a class="term" href="../../terms/#([^"]+)">([^<]*)</a>', html)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A warp reads, the warp waits.", ["warp#warp"]),
        ("Warps wait. Another warp runs.", ["Warps#warp"]),
        ("An SM; a streaming multiprocessor.", ["SM#sm"]),
        ("sm_90 and an SMT core are something else, and so is smart.", []),
        ("The KV\ncache grows.", ["KV\ncache#kv-cache"]),
        ("warped, time-warp, warp-level, a/warp", []),
        ("`warp` in code, and warp in words.", ["warp#warp"]),
        ("```\nwarp\n```\nThen a warp.", ["warp#warp"]),
        ("[What a warp is](../hw/warps.md) comes first, then a warp.", []),
        ("[32 warps](fact:transaction) of it.", []),
        ("![A warp in a picture](x.svg)", []),
        ('<span class="dated">warp</span> and <span class="given">64 warps</span>', []),
        ("### A warp in a heading\n\nA warp below it.", ["warp#warp"]),
        ("A kernel and a stream.", ["kernel#kernel"]),
    ],
)
def test_what_is_marked(text: str, expected: list[str]) -> None:
    assert linked(text) == expected


def test_each_term_once_on_a_page() -> None:
    assert linked("A warp.", "A warp again, and an SM.", "An SM.") == ["warp#warp", "SM#sm"]


def test_a_bite_does_not_explain_its_own_term_elsewhere() -> None:
    own = replace(GOOD, terms=(replace(term("warp"), bite="coalescing"),))
    assert linked("A warp.", library=own) == []


def test_without_terms_nothing_is_marked() -> None:
    assert linked("A warp.", library=replace(GOOD, terms=())) == []


def test_what_is_pressed_chosen_or_quoted_holds_no_term() -> None:
    page = render_bite(BITE, replace(GOOD, terms=tuple(term(word) for word in ("coalescing", "lane", "sector", "load", "float", "stride"))))
    html = page.fill(page.markdown)
    assert 'class="term"' in html
    for part in re.findall(r"<summary>.*?</summary>|<legend>.*?</legend>|<label.*?</label>|<blockquote>.*?</blockquote>", html, re.DOTALL):
        assert 'class="term"' not in part
