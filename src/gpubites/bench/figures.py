"""The arithmetic of the bench: weights of bodies, what changed between two builds, percentiles, tables. No disk, no clock, no browser."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import brotli  # type: ignore[import-untyped]  # it ships no types


@dataclass(frozen=True)
class Weight:
    """Bytes of `files` bodies: as they are, and each compressed on its own as a static host serves it."""

    files: int
    raw: int
    brotli: int
    gzip: int


def weigh(bodies: Iterable[bytes]) -> Weight:
    """Brotli at 11 and gzip at 9; a body that compression would not shrink (a picture, a wheel) counts as it is."""
    sizes = [(len(body), len(brotli.compress(body)), len(gzip.compress(body, 9))) for body in bodies]
    return Weight(
        files=len(sizes),
        raw=sum(raw for raw, _, _ in sizes),
        brotli=sum(min(raw, small) for raw, small, _ in sizes),
        gzip=sum(min(raw, small) for raw, _, small in sizes),
    )


def pack_paths(offline_json: str, pack: str) -> list[str]:
    return [path for path, _, _ in json.loads(offline_json)["packs"][pack]["files"]]


def paths_to_fetch(before: str, after: str, pack: str = "library") -> list[str]:
    """What a reader who keeps the build `before` fetches to have `after`: files with a new hash. Both are texts of offline.json."""
    had = {digest for _, digest, _ in json.loads(before)["packs"][pack]["files"]}
    return [path for path, digest, _ in json.loads(after)["packs"][pack]["files"] if digest not in had]


def worst_growth(before: dict[str, int], after: dict[str, int]) -> tuple[str, float]:
    """The page (path → bytes) that grew most from one library to a larger one, and its ratio."""
    return max(((path, after[path] / size) for path, size in before.items()), key=lambda grown: grown[1])


def percentile(values: Iterable[float], percent: float) -> float:
    """By nearest rank: a value that was measured."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(percent / 100 * len(ranked)) - 1)]


def kilobytes(count: int) -> str:
    """In units of 1,000 bytes, with as many digits as tell something."""
    return f"{count / 1000:,.1f}" if count < 1_000_000 else f"{count / 1000:,.0f}"


def verdict(measured: float, limit: float) -> str:
    """For bytes and counts, which are exact."""
    return "ok" if measured <= limit else "OVER"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[str]) -> str:
    """Aligned text. The first column and those named in `words` are words, on the left; the others are numbers, on the right."""
    columns = list(zip(headings, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    left = [index == 0 or heading in words for index, heading in enumerate(headings)]

    def line(cells: Sequence[str]) -> str:
        placed = zip(cells, widths, left, strict=True)
        return "  ".join(cell.ljust(width) if on_left else cell.rjust(width) for cell, width, on_left in placed).rstrip()

    return "\n".join([line(headings), line(["-" * width for width in widths]), *map(line, rows)])
