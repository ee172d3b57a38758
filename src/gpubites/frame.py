"""A frame: what a simulator answers for one setting. A picture, a table, one result, and a sentence that says it."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
# The page draws with the same lists (web/core/safe-svg.js): shapes and texts, no script, no link, no address.
ELEMENTS = frozenset({"svg", "g", "rect", "line", "path", "circle", "polyline", "polygon", "text", "tspan"})
ATTRIBUTES = frozenset({
    "viewBox", "x", "y", "x1", "y1", "x2", "y2", "dx", "dy", "width", "height", "rx", "cx", "cy", "r", "d", "points", "transform",
    "class", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity",
    "font-size", "font-weight", "text-anchor",
})  # fmt: skip
PART = re.compile(r"<[^<]*|^[^<]+")  # a tag and the text behind it
ATTRIBUTE_VALUE = re.compile(r"(?!.*url)[\w#.,%()+\-\s]*", re.IGNORECASE | re.DOTALL)
MOST_ROWS, MOST_COLUMNS, MOST_SVG = 48, 8, 40_000

Cell = str | int | float


@dataclass(frozen=True)
class Frame:
    """The first row of `table` names its columns."""

    svg: str
    table: tuple[tuple[Cell, ...], ...]
    result: Cell
    says: str


def read_frame(answer: object) -> Frame:
    """The frame in what `simulate` returned. Raises `ValueError`, which says what is wrong."""
    if not isinstance(answer, dict) or set(answer) != {"svg", "table", "result", "says"}:
        raise ValueError('`simulate` returns {"svg": …, "table": …, "result": …, "says": …}')
    svg, result, says = answer["svg"], answer["result"], answer["says"]
    _check_svg(svg)
    if not _is_cell(result):
        raise ValueError("the result is a number or a text")
    if not isinstance(says, str) or not says.endswith("."):
        raise ValueError("`says` is a sentence")
    return Frame(svg, _table(answer["table"]), result, says)


def frames_file(frames: Iterable[Frame]) -> bytes:
    """The frames as the page fetches them (web/core/frames.js): JSON, deflated in one stream. Equal frames give equal JSON.

    The pictures of a simulator are made of the same elements again and again, farther apart than deflate looks back. So each tag with
    its text stands once in `parts`, and a picture is a list of places there.
    """
    frames, places = list(frames), dict[str, int]()
    listed = {
        "pictures": [[places.setdefault(part, len(places)) for part in PART.findall(frame.svg)] for frame in frames],
        "parts": list(places),
        "tables": [frame.table for frame in frames],
        "results": [frame.result for frame in frames],
        "says": [frame.says for frame in frames],
    }
    return zlib.compress(json.dumps(listed, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def read_frames(content: bytes) -> tuple[Frame, ...]:
    """The inverse of `frames_file`. Raises `ValueError`, or what Python says of a file that is something else."""
    try:
        listed = json.loads(zlib.decompress(content))
    except zlib.error as error:
        raise ValueError(f"the frames are damaged: {error}") from None
    pictures = ("".join(listed["parts"][place] for place in places) for places in listed["pictures"])
    tables = (tuple(map(tuple, table)) for table in listed["tables"])
    return tuple(Frame(*parts) for parts in zip(pictures, tables, listed["results"], listed["says"], strict=True))


def frames_path(source: Path) -> Path:
    """`bank_lab.py` → `bank_lab.recording.frames`, beside it."""
    return source.with_name(f"{source.stem}.recording.frames")


def _is_cell(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value))


def _table(rows: Any) -> tuple[tuple[Cell, ...], ...]:
    if not isinstance(rows, list) or not all(isinstance(row, list | tuple) for row in rows) or len(rows) < 2:
        raise ValueError("the table is a list of rows, of which the first names the columns")
    if len(rows) > MOST_ROWS or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= MOST_COLUMNS:
        raise ValueError(f"the table's rows are equally long, at most {MOST_ROWS} rows and {MOST_COLUMNS} columns")
    if not all(_is_cell(cell) for row in rows for cell in row):
        raise ValueError("the table holds numbers and texts")
    return tuple(tuple(row) for row in rows)


def _check_svg(svg: object) -> None:
    if not isinstance(svg, str) or len(svg) > MOST_SVG:
        raise ValueError(f"the picture is SVG text of at most {MOST_SVG} characters")
    if "<!" in svg or "<?" in svg:
        raise ValueError("the picture is one <svg> element, without declarations and comments")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise ValueError(f"the picture is no SVG: {error}") from None
    if root.tag != f"{SVG}svg" or "viewBox" not in root.attrib:
        raise ValueError('the picture begins with <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 …">')
    for element in root.iter():
        name = element.tag.removeprefix(SVG)
        if name not in ELEMENTS:
            raise ValueError(f"the picture holds <{name}>, which is not one of {', '.join(sorted(ELEMENTS))}")
        for attribute, value in element.attrib.items():
            if attribute not in ATTRIBUTES or not ATTRIBUTE_VALUE.fullmatch(value):
                raise ValueError(f'the picture holds <{name} {attribute}="{value}">, which the page would not draw')
