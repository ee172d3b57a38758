"""Prose apart from code."""

from __future__ import annotations

import re

import pytest

from gpubites.prose import LINK, find_in_prose, outside_code, plain, word_count

COUNTED = [
    ("", 0),
    ("One two three.", 3),
    ("A **bold** word and an *other* one.", 7),
    ("32 lanes, 32 addresses", 4),
    ("the `x[2 * i]` access", 4),
    ("[600 GB/s](fact:a100-nvlink-total) in all", 4),
    ("see [the guide](https://example.org/a_(b)) for more", 5),
    ("![Eight lanes of a warp](../a.svg) stays out", 2),
    ("- (3) names the unit\n- (2) puts numbers on it", 9),
    ("1. first\n2. second", 2),
    ("> quoted words\n>\n> and more", 4),
    ("- > said so", 2),
    ("- [x] right\n    > since it is\n- [ ] wrong", 5),
    ("before\n\n```python\nnot these words\n```\n\nafter", 2),
    ("a dash – and an em dash — are no words", 9),
    ("snake_case and __dunder__ count once", 5),
    ('the <span class="dated">nvprof</span> tool', 3),
    ("### 1. The situation", 2),
    ("well-known, e.g. this", 3),
]


@pytest.mark.parametrize(("text", "words"), COUNTED)
def test_words_are_counted_as_they_are_spoken(text: str, words: int) -> None:
    assert word_count(text) == words


def test_a_text_of_a_known_length_has_that_length() -> None:
    paragraph = (
        "A load serves a whole [warp](../hw/warps.md) at once: 32 lanes, 32 addresses. Global memory moves **sectors**, aligned\n"
        "pieces of [32 bytes](fact:transaction). The cost is the number of `sectors` that its addresses fall into."
    )
    # A load serves a whole warp at once 32 lanes 32 addresses (12) Global memory moves sectors aligned (5)
    # pieces of 32 bytes (4) The cost is the number of sectors that its addresses fall into (12)
    assert word_count(paragraph) == 33


def test_plain_text_keeps_code_as_it_stands() -> None:
    assert plain("call `__syncthreads()` on `vector<float>`, **then** `a * b`") == "call __syncthreads() on vector<float>, then a * b"


def test_plain_text_keeps_paragraphs_and_drops_markers() -> None:
    assert plain("### 1. Name {#q-a}\n\n- [x] yes\n    > since\n\n- > said") == "Name \n\nyes\nsince\n\nsaid"


def test_a_private_character_in_the_text_is_no_trouble() -> None:
    assert plain("a \ue0007\ue001 `b`") == "a 7\ue001 b"


def found(pattern: str, text: str, first_line: int = 1) -> list[tuple[int, str]]:
    return [(place.line, place.match[0]) for place in find_in_prose(re.compile(pattern), text, first_line)]


def test_matches_know_the_line_of_the_file() -> None:
    assert found("x", "a\nx\n\nb x\n", 10) == [(11, "x"), (13, "x")]


def test_a_match_may_run_over_a_wrapped_line() -> None:
    assert found(r"of\s+course", "and\nso, of\ncourse, it is") == [(2, "of\ncourse")]


def test_a_link_may_run_over_a_wrapped_line() -> None:
    text = "see [a link\nover lines](a.md), and\n[another](b.md)"
    assert [(place.line, place.match["target"]) for place in find_in_prose(LINK, text, 1)] == [(1, "a.md"), (3, "b.md")]


def test_code_is_not_searched() -> None:
    assert found("x", "`x` and ``x ` x``\n\n```\nx\n```\n\n~~~~\nx\n~~~\nx\n~~~~\nx") == [(12, "x")]


def test_lines_after_a_fence_are_still_right() -> None:
    assert found("x", "```\na\nb\n```\nx\n```\nc\n```\nx", 5) == [(9, "x"), (13, "x")]


def test_a_lone_tick_spoils_one_paragraph() -> None:
    assert found("x", "a ` x\n\nx `x` x") == [(1, "x"), (3, "x"), (3, "x")]


def test_an_escaped_tick_opens_nothing() -> None:
    assert found("x", r"a \` x ` x") == [(1, "x"), (1, "x")]


def test_changes_stay_out_of_code() -> None:
    text = "x `x` x\n\n```\nx\n```\nx [`x`](x) x ![`x`](x)"
    assert outside_code(text, str.upper) == "X `x` X\n\n```\nx\n```\nX [`X`](X) X ![`X`](X)"


def test_what_is_not_changed_stays_byte_for_byte() -> None:
    text = "a  b\t`c`\n\n\n```x\n  d\n```\n\n~~~\n"
    assert outside_code(text, lambda stretch: stretch) == text


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("[a](b.md)", ["b.md"]),
        ('[a](b.md "title")', ["b.md"]),
        ("[a [b] c](d.md)", ["d.md"]),
        ("![a](b.svg)", []),
        ("[a](https://en.wikipedia.org/wiki/Roofline_(model))", ["https://en.wikipedia.org/wiki/Roofline_(model)"]),
        ("[ ] not (this)", []),
        ("[x] (nor this)", []),
        ("a[i](j)", ["j"]),
    ],
)
def test_links_are_recognized(text: str, targets: list[str]) -> None:
    assert [match["target"] for match in LINK.finditer(text)] == targets
