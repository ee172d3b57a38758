"""Reading the terms, and the views of terms and freshness."""

from __future__ import annotations

from dataclasses import replace

from gpubites.library import Library
from gpubites.render.view import Link, freshness_views, term_views
from gpubites.rules import check
from gpubites.terms import read_terms

WHOLE = """\
- term: KV cache
  aliases: [key-value cache]
  bite: kv-cache
  means: What is kept.
  says: {amd: cache, nvidia: cache}
"""


def test_a_term_is_read_with_its_anchor_and_its_vendors_in_order() -> None:
    (term,), wrong = read_terms(WHOLE)
    assert wrong == ()
    assert term.id == "kv-cache"
    assert term.words == ("KV cache", "key-value cache")
    assert list(term.says) == ["nvidia", "amd"]


def test_a_broken_term_is_told_with_its_line_and_kept() -> None:
    terms, wrong = read_terms(WHOLE.replace("  bite: kv-cache\n", "  bite: [kv-cache]\n"))
    assert [each[:2] for each in wrong] == [(3, "`KV cache`: `bite` is a text, not a list")]
    assert terms[0].bite == ""


def test_what_is_no_list_is_told() -> None:
    assert [each[:2] for each in read_terms("term: warp\n")[1]] == [(1, "the terms are a list")]
    assert [each[:2] for each in read_terms("- warp\n")[1]] == [(1, "a term is a mapping, not `warp`")]
    assert read_terms("- [\n")[1][0][0] == 2


def test_a_library_without_terms_has_no_problem_with_them(good: Library) -> None:
    assert check(replace(good, terms=())) == []


def test_terms_come_in_the_order_of_the_alphabet_with_their_bite(good: Library) -> None:
    views = term_views(good)
    assert [view.term.term for view in views] == ["coalescing", "stride", "warp"]
    assert views[2].bite == Link(good.by_slug["warps"].title, "b/warps/")


def test_a_term_of_a_planned_bite_has_no_link(good: Library) -> None:
    planned = replace(good, terms=(replace(good.terms[0], bite="data-layout"),))
    assert check(planned) == []
    assert term_views(planned)[0].bite == Link("Data layout", None)


def with_checks(good: Library, **days: str) -> Library:
    """The good library, its bites checked on these days."""
    return replace(good, bites=tuple(replace(bite, checked_on=days[bite.slug.replace("-", "_")]) for bite in good.bites))


def test_what_was_checked_longest_ago_comes_first(good: Library) -> None:
    library = with_checks(good, warps="2026-11-30", coalescing="2026-11-29", kernel_story="2026-11-28")
    assert [view.bite.url for view in freshness_views(library)] == ["b/kernel-story/", "b/coalescing/", "b/warps/"]


def test_an_old_fact_makes_its_bite_old(good: Library) -> None:
    old = replace(good.facts["transaction"], seen="2020-01-01")
    library = replace(with_checks(good, warps="2026-11-30", coalescing="2026-11-30", kernel_story="2026-11-28"))
    library = replace(library, facts={**good.facts, "transaction": old})
    first = freshness_views(library)[0]
    assert (first.bite.url, first.oldest_fact, first.checked_on) == ("b/coalescing/", "2020-01-01", "2026-11-30")
