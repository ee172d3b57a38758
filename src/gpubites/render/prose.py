"""Prose of a bite: fact links, links to bites that are not written yet, figures and snippet fences become HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from html import escape

from gpubites.bite import Bite, parse_fence
from gpubites.library import Library
from gpubites.prose import FACT_LINK, IMAGE, LINK, outside_code
from gpubites.render.holes import Holes, without_tokens
from gpubites.render.snippet import render_snippet
from gpubites.source import fenced_blocks

# From /b/<slug>/ to the site's root.
ROOT = "../../"
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
PLANNED_TARGET = re.compile(r"^(?:\.\./[a-z]+/)?(?P<slug>[a-z0-9-]+)\.md(?:#.*)?$")


def render_prose(text: str, bite: Bite, library: Library, holes: Holes, mark: Callable[[str], str] = str) -> str:
    """Markdown → Markdown with holes. `mark` may add holes of its own to the writer's words."""
    text = _snippets(mark(without_tokens(text)), bite, library, holes)
    text = outside_code(text, lambda stretch: IMAGE.sub(lambda match: _figure(match, bite, library, holes), stretch))
    return outside_code(text, lambda stretch: LINK.sub(lambda match: _link(match, library, holes), stretch))


def _snippets(text: str, bite: Bite, library: Library, holes: Holes) -> str:
    lines = text.split("\n")
    for block in reversed(list(fenced_blocks(lines))):
        fence = parse_fence(block.info, block.start + 1)
        snippet = library.snippet_of(bite, fence) if fence else None
        if fence and snippet:
            anchor = bite.anchor_of(fence.src, fence.part)
            first = next(other for other in bite.fences if other.src == fence.src).part == fence.part
            right = library.snippets.get(snippet.right_path) if snippet.wrong else None
            lines[block.start : block.end + 1] = [holes.block(render_snippet(snippet, fence, ROOT, anchor, first, right))]
    return "\n".join(lines)


def _figure(match: re.Match[str], bite: Bite, library: Library, holes: Holes) -> str:
    svg = library.figures.get(posixpath.normpath(posixpath.join(posixpath.dirname(bite.path), match["target"])))
    if svg is None or "<svg" not in COMMENT.sub("", svg):
        return match[0]
    figure = inline_svg(svg, match["alt"])
    before, after = match.string[: match.start()], match.string[match.end() :]
    # A figure in a paragraph would end it: on a line of its own it stands between paragraphs.
    alone = (not before or before.endswith("\n")) and (not after or after.startswith("\n"))
    return holes.block(figure) if alone else holes.inline(figure)


def inline_svg(svg: str, alternative: str) -> str:
    """The drawing itself, so that it follows the page's colors, named for those who cannot see it."""
    drawing = COMMENT.sub("", svg)
    drawing = drawing[drawing.index("<svg") :].strip()
    drawing = re.sub(r'\s(?:role|aria-label|aria-labelledby)="[^"]*"', "", drawing, count=0)
    drawing = re.sub(r"<title[^>]*>.*?</title>|<desc[^>]*>.*?</desc>", "", drawing, flags=re.DOTALL)
    drawing = drawing.replace("<svg", f'<svg role="img" aria-label="{escape(" ".join(alternative.split()))}"', 1)
    return f'<figure class="figure">{drawing}</figure>'


def _link(match: re.Match[str], library: Library, holes: Holes) -> str:
    fact_link = FACT_LINK.fullmatch(match[0])
    if fact_link:
        return _fact(fact_link, library, holes)
    planned = PLANNED_TARGET.match(match["target"])
    if planned and planned["slug"] not in library.by_slug and planned["slug"] in library.planned:
        return f"{holes.inline('<span class=planned>')}{match['text']}{holes.inline('</span>')}"
    return match[0]


def _fact(match: re.Match[str], library: Library, holes: Holes) -> str:
    fact = library.facts.get(match["id"])
    if not fact:
        return match["text"]
    origin = f"computed: {fact.formula}" if fact.formula else f"source: {fact.source_title}"
    single = " (single source)" if fact.status == "single-source" else ""
    title = escape(f"{fact.what} {origin}{single}")
    opening = f'<a class="fact" href="{ROOT}facts/#{fact.id}" title="{title}">'
    return f"{holes.inline(opening)}{match['text']}{holes.inline('</a>')}"
