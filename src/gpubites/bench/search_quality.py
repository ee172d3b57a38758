"""How good a search is: hit rates on tests/search/queries.tsv, by kind of query, for the third that nobody tunes on and for the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

QUERIES = Path(__file__).parents[3] / "tests" / "search" / "queries.tsv"
# On the untouched third.
LEAST_HIT1 = 0.88
LEAST_HIT3 = 0.97


@dataclass(frozen=True)
class Query:
    """`slugs` are the bites any of which satisfies it."""

    text: str
    kind: str
    slugs: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """One of the third that whoever writes keywords, synonyms or ranking does not read."""
        return hashlib.sha256(self.text.encode()).digest()[0] % 3 == 0


@dataclass(frozen=True)
class Quality:
    """Shares of the queries whose bite came first, and among the first three; the mean of one over its rank."""

    count: int
    hit1: float
    hit3: float
    mrr: float


def read_queries(written: Iterable[str], path: Path = QUERIES) -> list[Query]:
    """Those that a written bite satisfies."""
    known = set(written)
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:] if line)
    queries = (Query(text, kind, tuple(slug for slug in slugs.split(" ") if slug in known)) for text, kind, slugs, _ in rows)
    return [query for query in queries if query.slugs]


def rank_of(query: Query, found: Sequence[str]) -> int:
    """Counted from 1; 0 where none of its bites was found."""
    return next((rank for rank, slug in enumerate(found, start=1) if slug in query.slugs), 0)


def quality(ranks: Sequence[int]) -> Quality:
    total = max(1, len(ranks))
    return Quality(
        count=len(ranks),
        hit1=sum(rank == 1 for rank in ranks) / total,
        hit3=sum(0 < rank <= 3 for rank in ranks) / total,
        mrr=sum(1 / rank for rank in ranks if rank) / total,
    )


def by_kind(queries: Sequence[Query], found: Mapping[str, Sequence[str]]) -> dict[str, Quality]:
    """Kind → quality, and `all`. `found` maps a query to slugs, best first."""
    ranks = [(query.kind, rank_of(query, found.get(query.text, ()))) for query in queries]
    kinds = sorted({kind for kind, _ in ranks})
    return {kind: quality([rank for other, rank in ranks if kind in (other, "all")]) for kind in [*kinds, "all"]}
