"""The queries the search is measured with: what people type, and the bites that would satisfy them.

`queries.tsv` is plain tab-separated text. Nothing in it is quoted or escaped: pasted messages keep their quotes and
backslashes. A third of the queries is held out by a hash of their text. Whoever writes keywords or synonyms does not
read that third, or the search would be measured on what it was tuned for. Bites written after the queries (thread-hierarchy,
barriers-and-fences, atomics, reduction, streams-and-events) are added where they satisfy a query, but only in the part that is tuned on:
the third stays as it was, although some of its queries may be satisfied by one of them.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from gpubites.library import Library

FILE = Path(__file__).parent / "queries.tsv"
COLUMNS = ["query", "kind", "slugs", "source"]
KINDS = {"typo", "synonym", "acronym", "symptom", "message", "prefix", "words"}


@dataclass(frozen=True)
class Query:
    line: int
    text: str
    kind: str
    slugs: tuple[str, ...]
    source: str

    @property
    def held_out(self) -> bool:
        return hashlib.sha256(self.text.encode("utf-8")).digest()[0] % 3 == 0


@pytest.fixture(scope="module")
def queries() -> list[Query]:
    text = FILE.read_bytes().decode("utf-8")
    assert text.endswith("\n"), "the last line is cut off"
    header, *lines = text[:-1].split("\n")
    assert header.split("\t") == COLUMNS
    rows = [(line, row.split("\t")) for line, row in enumerate(lines, 2)]
    assert [line for line, row in rows if len(row) != len(COLUMNS)] == [], "lines without four columns"
    return [Query(line, row[0], row[1], tuple(row[2].split(" ")), row[3]) for line, row in rows]


def test_every_cell_says_something(queries: list[Query]) -> None:
    for query in queries:
        for cell in (query.text, query.kind, *query.slugs, query.source):
            assert cell, f"line {query.line}: an empty cell, or two spaces between slugs"
            assert cell == cell.strip(), f"line {query.line}: spaces around {cell!r}"


def test_a_source_is_an_address_or_our_own_words(queries: list[Query]) -> None:
    wrong = [query.line for query in queries if query.source != "own" and ": https://" not in query.source]
    assert wrong == [], "lines with a source that is neither `own` nor `a title: its address`"


def test_there_are_enough_queries_of_each_kind(queries: list[Query]) -> None:
    count = Counter(query.kind for query in queries)
    assert set(count) == KINDS
    assert min(count.values()) >= 40, count
    assert count.total() >= 330


def test_no_query_stands_twice(queries: list[Query]) -> None:
    count = Counter(query.text.casefold() for query in queries)
    assert [text for text, times in count.items() if times > 1] == []


def test_the_bites_that_satisfy_exist(queries: list[Query], library: Library) -> None:
    for query in queries:
        unknown = set(query.slugs) - set(library.by_slug)
        assert not unknown, f"line {query.line}: there is no bite {', '.join(sorted(unknown))}"
        assert len(set(query.slugs)) == len(query.slugs) <= 4, f"line {query.line}: {' '.join(query.slugs)}"


def test_every_section_is_asked_for(queries: list[Query], library: Library) -> None:
    asked = {library.by_slug[query.slugs[0]].section for query in queries}
    assert asked == {bite.section for bite in library.bites}


def test_the_held_out_third_is_large_enough(queries: list[Query]) -> None:
    held_out = [query for query in queries if query.held_out]
    assert len(held_out) >= 90
    assert {query.kind for query in held_out} == KINDS
