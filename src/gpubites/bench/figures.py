"""The arithmetic of the bench: weights, what changed between two builds, percentiles, tables. No disk, clock or browser."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import brotli  # type: ignore[import-untyped]  # it ships no types


@dataclass(frozen=True)
class Weight:
    """Bytes of `files` bodies: as they are, and each compressed on its own as a static host serves it."""

    files: int
    raw: int
    brotli: int
    gzip: int

    def __add__(self, other: Weight) -> Weight:
        return Weight(self.files + other.files, self.raw + other.raw, self.brotli + other.brotli, self.gzip + other.gzip)

    def times(self, factor: float) -> Weight:
        return Weight(*(round(factor * part) for part in (self.files, self.raw, self.brotli, self.gzip)))


def grows(path: str) -> bool:
    """Does a file of the library pack come with bites, or grow with their number?

    All does but scripts, styles and icons, the notebooks, and what is said about the site.
    """
    return not path.startswith(("assets/", "about/", "notebooks/")) or path.startswith(
        ("assets/posters/", "assets/labs/", "about/freshness/")
    )


def weigh(bodies: Iterable[bytes]) -> Weight:
    """Brotli at 11 and gzip at 9; a body that compression would not shrink (a picture, a wheel) counts as it is."""
    sizes = [(len(body), len(brotli.compress(body)), len(gzip.compress(body, 9))) for body in bodies]
    return Weight(
        files=len(sizes),
        raw=sum(raw for raw, _, _ in sizes),
        brotli=sum(min(raw, small) for raw, small, _ in sizes),
        gzip=sum(min(raw, small) for raw, _, small in sizes),
    )


def pack_paths(manifest: str, pack: str) -> list[str]:
    """The paths of a pack; `manifest` is the text of offline.json."""
    return [path for path, _, _ in json.loads(manifest)["packs"][pack]["files"]]


def paths_to_fetch(before: str, after: str) -> list[str]:
    """What a reader who keeps the library of one manifest fetches for that of the other: files whose hash is new."""
    kept = {digest for _, digest, _ in json.loads(before)["packs"]["library"]["files"]}
    return [path for path, digest, _ in json.loads(after)["packs"]["library"]["files"] if digest not in kept]


def grown_most(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """The page whose size grew by the largest factor. Both map pages to bytes; new pages are not compared."""
    return max(before, key=lambda page: after[page] / before[page])


def percentile(values: Iterable[float], percent: float) -> float:
    """By nearest rank: a value that was measured."""
    ranked = sorted(values)
    return ranked[max(0, math.ceil(percent / 100 * len(ranked)) - 1)]


def kilobytes(count: int) -> str:
    return f"{count / 1000:,.1f}"


def compared(name: str, here: float, unit: str, beside: float | None = None, what: str = "") -> list[str]:
    """A row: what was measured here, what was measured beside it in the same run, and their ratio."""
    if beside is None:
        return [name, f"{here:,.1f} {unit}", "", ""]
    ratio = f"{here / beside:.2f}x" if beside else ""
    return [name, f"{here:,.1f} {unit}", f"{what} {beside:,.1f} {unit}".strip(), ratio]


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], budgets: Mapping[str, tuple[str, str]]) -> str:
    """Aligned text: names, numbers on the right, and what `budgets` knows under a row's name (budget, peers), if there are any."""
    lines = [[*headings, "budget", "peers"], *([*row, *budgets.get(row[0], ("", ""))] for row in rows)]
    lines = lines if budgets else [line[:-2] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    words = {0, len(headings), len(headings) + 1}

    def placed(cells: Sequence[str]) -> str:
        sized = zip(cells, widths, strict=True)
        return "  ".join(f"{cell:<{width}}" if index in words else f"{cell:>{width}}" for index, (cell, width) in enumerate(sized))

    return "\n".join(placed(cells).rstrip() for cells in lines)
