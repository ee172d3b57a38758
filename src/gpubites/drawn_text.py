"""Where the texts of a simulator's picture lie, so that a word that is cut off or written over another is found without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from xml.etree.ElementTree import Element, fromstring

# Advance widths of Helvetica, in thousandths of the size: those of Arial, and close to the other faces of the page.
WIDTHS = {
    character: width
    for width, characters in {
        191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[\\]ft", 333: "()-`r", 334: "{}", 355: '"', 389: "*", 469: "^", 500: "Jcksvxyz",
        556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ",
        667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W",
    }.items()
    for character in characters
}  # fmt: skip
OTHER, CODE, BOLD = 600, 602, 1.07
WIDER = 1.06  # faces differ by as much
USUAL, SMALL = 14.0, 12.5  # px, as in web/css/lab.css
ABOVE, BELOW = 0.74, 0.22  # of the size: capitals over the line, descenders under it
TOUCH = 1.0  # px by which two texts may meet


@dataclass(frozen=True)
class Place:
    """A text and its box, in the picture's units."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Style:
    size: float = USUAL
    anchor: str = "start"
    bold: bool = False
    code: bool = False


def misplaced(svg: str) -> str:
    """What is wrong with the first text that is cut off at an edge or lies over another; empty where every text can be read."""
    root = fromstring(svg)
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].replace(",", " ").split())
    places = sorted(_places(root, Style()), key=lambda place: (place.bottom, place.left))
    for place in places:
        over = max(-place.left, place.right - width, -place.top, place.bottom - height)
        if over > TOUCH:
            return f"the text “{place.text}” is cut off: it lies {over:.0f} beyond the edge of {width:g} x {height:g}"
    for row in _rows(places):
        for one, next_one in pairwise(row):
            if next_one.left < one.right - TOUCH:
                return f"the texts “{one.text}” and “{next_one.text}” overlap by {one.right - next_one.left:.0f}"
    return ""


def width_of(text: str, style: Style) -> float:
    """In the picture's units, in a face that is a little wider than most."""
    if style.code:
        return len(text) * CODE * style.size / 1000 * WIDER
    return sum(WIDTHS.get(character, OTHER) for character in text) * style.size / 1000 * WIDER * (BOLD if style.bold else 1)


def _places(element: Element, inherited: Style) -> Iterator[Place]:
    style = _styled(element, inherited)
    if element.tag.endswith("}text"):
        text = " ".join("".join(element.itertext()).split())
        x, y, wide = float(element.get("x", 0)), float(element.get("y", 0)), width_of(text, style)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[style.anchor]
        if text:
            yield Place(text, left, y - ABOVE * style.size, left + wide, y + BELOW * style.size)
        return
    for child in element:
        yield from _places(child, style)


def _styled(element: Element, inherited: Style) -> Style:
    """The classes of web/css/lab.css that move or size a text. Elements that shift others are not used with texts."""
    words = set(element.get("class", "").split())
    anchor = "middle" if "mid" in words else "end" if "end" in words else element.get("text-anchor", inherited.anchor)
    size = SMALL if "small" in words else float(element.get("font-size", inherited.size))
    return Style(size, anchor, inherited.bold or "strong" in words, inherited.code or "code" in words)


def _rows(places: list[Place]) -> Iterator[list[Place]]:
    """Texts of one height, from left to right; lines that are closer than half a letter are one row."""
    row: list[Place] = []
    for place in places:
        if row and place.bottom - row[0].bottom > 7:
            yield sorted(row, key=lambda place: place.left)
            row = []
        row.append(place)
    yield sorted(row, key=lambda place: place.left)
