"""Rules for figures, which become a part of the page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers import expat

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.prose import IMAGE, find_in_prose
from gpubites.rules.prose import is_file
from gpubites.rules.registry import Finding, bite_rule, library_rule

FEWEST_WORDS = 4
DRAWS = re.compile(
    r"svg|g|defs|marker|symbol|use|path|line|polyline|polygon|rect|circle|ellipse|text|tspan|title|desc"
    r"|clipPath|mask|pattern|linearGradient|radialGradient|stop"
)
WIDEST = 400
SMALLEST_TEXT = 12
PAINTS = ("fill", "stroke", "stop-color", "color")
PAINT = re.compile(r"none|inherit|transparent|currentColor|url\(#[^)]+\)|var\(--[a-z-]+(?:, ?[^()]+)?\)")
FOREIGN = re.compile(r"url\((?!#)|https?:|data:|@import|expression", re.IGNORECASE)
PIXELS = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?:px)?")


@bite_rule("M001")
def figure_has_a_text_alternative(bite: Bite, library: Library) -> Iterator[Finding]:
    """A picture is an SVG of docs/assets/figures and says in words what it shows, for those who cannot see it."""
    for found in find_in_prose(IMAGE, bite.source.text, 1):
        path = figure_path(bite, found.match["target"])
        if path not in library.figures:
            stem = posixpath.basename(path)
            near = did_you_mean(stem, [posixpath.basename(figure) for figure in library.figures])
            exists = "is not an SVG of docs/assets/figures" if is_file(library, path) else "does not exist"
            hint = near or f"draw it, then ![what it shows](../../assets/figures/{bite.slug}.svg)"
            yield Finding(found.line, f"{path} {exists}", hint)
        if len(found.match["alt"].split()) < FEWEST_WORDS:
            yield Finding(found.line, "a figure needs a text alternative that says what it shows", "![what it shows](…)")


def figure_path(bite: Bite, target: str) -> str:
    """Where a picture's target leads, relative to the project's root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(bite.path), target))


@library_rule("M002")
def figure_is_safe_to_inline(library: Library) -> Iterator[Problem]:
    """A figure is well-formed SVG that draws and nothing else: no script, style, picture or foreign address in it, and nothing
    that a page reads in another way than XML does (instructions, CDATA).

    Its ids begin with the name of the file, since figures share the page with everything else.
    """
    for path, text in library.figures.items():
        elements, error = _elements(text)
        if error:
            yield Problem(path, error[0], "M002", error[1], "open it in a browser to see where it breaks")
        stem = posixpath.basename(path).removesuffix(".svg")
        ids: set[str] = set()
        for element in elements:
            for message in _unsafe(element, stem, ids):
                yield Problem(path, element.line, "M002", message, "shapes and texts only; ids are <figure>-<name>")
            ids.add(element.attributes.get("id", ""))


@library_rule("M003")
def figure_follows_the_page(library: Library) -> Iterator[Problem]:
    """A figure is legible on a phone (at most 400 wide, texts of 12 or more) and takes its colors from the theme."""
    for path, text in library.figures.items():
        elements, _ = _elements(text)
        for element in elements:
            for message in _unfit(element):
                hint = 'fill="currentColor", or style="fill:var(--accent,#b4431f)"'
                yield Problem(path, element.line, "M003", message, hint if "color" in message else "draw it smaller, write it larger")


@library_rule("M004")
def figure_is_shown(library: Library) -> Iterator[Problem]:
    """Every figure stands in a bite."""
    shown = {figure_path(bite, found.match["target"]) for bite in library.bites for found in find_in_prose(IMAGE, bite.source.text, 1)}
    for path in library.figures:
        if path not in shown:
            hint = f"![what it shows](../../assets/figures/{posixpath.basename(path)})"
            yield Problem(path, 1, "M004", "no bite shows it", hint)


@dataclass(frozen=True)
class Element:
    line: int
    tag: str
    attributes: dict[str, str]


def _elements(text: str) -> tuple[list[Element], tuple[int, str] | None]:
    """The elements in order, and where the text stops being XML."""
    parser = expat.ParserCreate()
    elements: list[Element] = []
    misread: list[tuple[int, str]] = []

    def opened(tag: str, attributes: dict[str, str]) -> None:
        elements.append(Element(parser.CurrentLineNumber, tag, attributes))

    parser.StartElementHandler = opened
    # A page is read as HTML, to which these are something else: markup that XML takes for text could come alive.
    parser.StartDoctypeDeclHandler = lambda *_: misread.append((parser.CurrentLineNumber, "a document type has no place in a page"))
    parser.ProcessingInstructionHandler = lambda *_: misread.append((parser.CurrentLineNumber, "an instruction has no place in a page"))
    parser.StartCdataSectionHandler = lambda: misread.append((parser.CurrentLineNumber, "CDATA has no place in a page: write &lt; for <"))
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        return elements, (error.lineno, f"not well-formed: {expat.errors.messages[error.code]}")
    return elements, misread[0] if misread else None


def _unsafe(element: Element, stem: str, ids: set[str]) -> Iterator[str]:
    if not DRAWS.fullmatch(element.tag):
        yield f"<{element.tag}> does not belong into a figure"
    for name, value in element.attributes.items():
        if name.lower().startswith("on"):
            yield f"`{name}` is a script"
        elif name.endswith("href") and not value.startswith("#"):
            yield f"`{name}` leads out of the figure"
        elif not name.startswith("xmlns") and FOREIGN.search(value):
            yield f"`{name}` fetches something"
    name = element.attributes.get("id", stem)
    if name != stem and not name.startswith(f"{stem}-"):
        yield f"id `{name}` does not begin with `{stem}-`"
    if "id" in element.attributes and name in ids:
        yield f"id `{name}` stands twice"


def _unfit(element: Element) -> Iterator[str]:
    attributes = element.attributes
    if element.tag == "svg":
        box = attributes.get("viewBox", "").split()
        if len(box) != 4 or not PIXELS.fullmatch(box[2]):
            yield "the <svg> has no viewBox"
        elif float(box[2]) > WIDEST:
            yield f"{box[2]} wide, at most {WIDEST} fit a phone"
    declared = dict(pair.split(":", 1) for pair in attributes.get("style", "").split(";") if ":" in pair)
    properties = attributes | {name.strip(): value.strip() for name, value in declared.items()}
    for name in PAINTS:
        value = properties.get(name, "none").strip()
        if not PAINT.fullmatch(value):
            yield f"{name} `{value}` is a color of its own"
    size = PIXELS.fullmatch(properties.get("font-size", "").strip())
    if size and float(size["number"]) < SMALLEST_TEXT:
        yield f"text of {size['number']}, at least {SMALLEST_TEXT} can be read"
