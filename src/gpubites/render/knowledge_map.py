"""The knowledge map: which bite builds on which, laid out as a picture and told as a list."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean

from gpubites.library import Library
from gpubites.render.view import Link

# In units of the drawing, which is shown at one pixel each.
NODE = (184, 44)
STEP = (228, 54)
MARGIN = 16
# Above the nodes of a lane stands the section's name.
LANE_HEAD = 34
LINE_LENGTH = 25


@dataclass(frozen=True)
class Node:
    """A bite, written (`url`) or planned. `lines` is its title, short enough for its box, whose corner is at x, y."""

    slug: str
    title: str
    lines: tuple[str, ...]
    url: str | None
    section: str
    roles: tuple[str, ...]
    prereqs: tuple[str, ...]
    builds_on: tuple[Link, ...]
    leads_to: tuple[Link, ...]
    x: int
    y: int


@dataclass(frozen=True)
class Edge:
    """From a prerequisite to what builds on it; `path` is the curve."""

    start: str
    end: str
    path: str


@dataclass(frozen=True)
class Lane:
    """The band of one section."""

    section: str
    name: str
    y: int
    height: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class MapView:
    """Sections from top to bottom, prerequisites from left to right."""

    width: int
    height: int
    node_width: int
    node_height: int
    lanes: tuple[Lane, ...]
    edges: tuple[Edge, ...]


def map_view(library: Library) -> MapView:
    """The map of every bite, written or planned."""
    prereqs = prerequisites(library)
    depth = depths(prereqs)
    sections = {slug: _section(slug, library) for slug in prereqs}
    cells: dict[tuple[str, int], list[str]] = defaultdict(list)
    for slug in prereqs:
        cells[sections[slug], depth[slug]].append(slug)
    # Sections that the map does not know come last: a half-written bite is drawn too.
    order = [section for section in dict.fromkeys([*library.sections, *sections.values()]) if section in sections.values()]
    tops: dict[str, int] = {}
    bottom = 0
    for section in order:
        tops[section] = bottom
        rows = max(len(slugs) for (lane, _), slugs in cells.items() if lane == section)
        bottom += LANE_HEAD + rows * STEP[1] + MARGIN
    places = _places(cells, tops, prereqs)
    nodes = {slug: _node(slug, sections[slug], prereqs, places[slug], library) for slug in prereqs}
    return MapView(
        width=2 * MARGIN + max(depth.values(), default=0) * STEP[0] + NODE[0],
        height=bottom,
        node_width=NODE[0],
        node_height=NODE[1],
        lanes=tuple(_lane(section, order, tops, bottom, nodes, library) for section in order),
        edges=tuple(_edge(nodes[start], nodes[end]) for end in prereqs for start in prereqs[end]),
    )


def prerequisites(library: Library) -> dict[str, tuple[str, ...]]:
    """Slug → the slugs it builds on, each once and each on the map, in the map's order; a written bite's own word counts."""
    named = {slug: planned.prereqs for slug, planned in library.planned.items()} | {bite.slug: bite.prereqs for bite in library.bites}
    return {slug: tuple(other for other in dict.fromkeys(others) if other in named) for slug, others in named.items()}


def depths(prereqs: dict[str, tuple[str, ...]]) -> dict[str, int]:
    """The length of the longest way to each bite from one that needs nothing."""
    found: dict[str, int] = {}
    while len(found) < len(prereqs):
        free = [slug for slug, others in prereqs.items() if slug not in found and found.keys() >= set(others)]
        # Prerequisites in a circle are told by their own rule, and drawn all the same.
        for slug in free or [slug for slug in prereqs if slug not in found]:
            found[slug] = 1 + max((found.get(other, -1) for other in prereqs[slug]), default=-1)
    return found


def _places(
    cells: dict[tuple[str, int], list[str]], tops: dict[str, int], prereqs: dict[str, tuple[str, ...]]
) -> dict[str, tuple[int, int]]:
    """Corners of all boxes. From left to right, so that each bite can stand near what it builds on: fewer lines cross."""
    places: dict[str, tuple[int, int]] = {}

    def height_of_prereqs(slug: str) -> float:
        heights = [places[other][1] for other in prereqs[slug] if other in places]
        return fmean(heights) if heights else 0.0

    for (section, column), slugs in sorted(cells.items(), key=lambda cell: cell[0][1]):
        for row, slug in enumerate(sorted(slugs, key=height_of_prereqs)):
            places[slug] = MARGIN + column * STEP[0], tops[section] + LANE_HEAD + row * STEP[1]
    return places


def _section(slug: str, library: Library) -> str:
    return library.by_slug[slug].section if slug in library.by_slug else library.planned[slug].section


def _node(slug: str, section: str, prereqs: dict[str, tuple[str, ...]], place: tuple[int, int], library: Library) -> Node:
    title = library.title_of(slug)
    bite = library.by_slug.get(slug)
    return Node(
        slug=slug,
        title=title,
        lines=box_lines(title),
        url=bite.url if bite else None,
        section=section,
        roles=bite.roles if bite else library.planned[slug].roles,
        prereqs=prereqs[slug],
        builds_on=tuple(_link(other, library) for other in prereqs[slug]),
        leads_to=tuple(_link(other, library) for other, needed in prereqs.items() if slug in needed),
        x=place[0],
        y=place[1],
    )


def box_lines(title: str) -> tuple[str, ...]:
    """At most two lines; what follows a colon is left to the bite."""
    lines = textwrap.wrap(title.split(":")[0].strip(), LINE_LENGTH)
    if len(lines) <= 2:
        return tuple(lines)
    return lines[0], f"{lines[1][: LINE_LENGTH - 1]}…"


def _link(slug: str, library: Library) -> Link:
    return Link(library.title_of(slug), library.by_slug[slug].url if slug in library.by_slug else None)


def _lane(section: str, order: list[str], tops: dict[str, int], bottom: int, nodes: dict[str, Node], library: Library) -> Lane:
    following = order[order.index(section) + 1 :]
    end = tops[following[0]] if following else bottom
    inside = tuple(node for node in nodes.values() if node.section == section)
    return Lane(section, library.sections.get(section, section), tops[section], end - tops[section], inside)


def _edge(start: Node, end: Node) -> Edge:
    x1, y1 = start.x + NODE[0], start.y + NODE[1] // 2
    x2, y2 = end.x, end.y + NODE[1] // 2
    bend = max(24, (x2 - x1) // 2)
    return Edge(start.slug, end.slug, f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}")
