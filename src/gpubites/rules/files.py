"""Rules for files as such, and for the content map."""

from __future__ import annotations

from collections.abc import Iterator

from gpubites.content_map import circle, knotted
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.rules.registry import library_rule

PLACES = {
    "docs/bites": "a bite is docs/bites/<section>/<slug>.md",
    "facts": "a file of facts is facts/<name>.yml",
    "snippets": "a snippet is snippets/<slug>/<name>.py, .frag (with its .vert) or .cu, beside its <name>.recording.*",
}


@library_rule("F001")
def file_is_plain_text(library: Library) -> Iterator[Problem]:
    """Text files are UTF-8 without a byte order mark, and their lines end in LF."""
    yield from library.errors_of("F001")


@library_rule("F002")
def file_has_its_place(library: Library) -> Iterator[Problem]:
    """No file lies where nothing reads it: it would look published and be shown nowhere."""
    for path in library.stray:
        hint = next(hint for folder, hint in PLACES.items() if path.startswith(f"{folder}/"))
        yield Problem(path, 1, "F002", "nothing reads this file", hint)


@library_rule("P001")
def map_can_be_read(library: Library) -> Iterator[Problem]:
    """docs/map.yml is a mapping of `sections` and `bites`. Without it no slug counts as unknown."""
    yield from library.errors_of("P001")


@library_rule("P002")
def planned_bite_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """An entry of the map has exactly its keys, each of its type or from its closed list; a slug stands once."""
    yield from library.errors_of("P002")


@library_rule("P003")
def planned_prereqs_lead_somewhere(library: Library) -> Iterator[Problem]:
    """The prerequisites of a planned bite stand in the map too, and following them never leads back."""
    prereqs = {planned.slug: planned.prereqs for planned in library.planned.values()}
    knots = knotted(prereqs)
    for planned in library.planned.values():
        for slug in planned.prereqs:
            if not library.knows(slug):
                message = f"prereq `{slug}` of `{planned.slug}` is no bite"
                hint = did_you_mean(slug, library.planned) or "a slug of this map"
                yield Problem("docs/map.yml", planned.line, "P003", message, hint)
        trail = circle(planned.slug, prereqs) if planned.slug in knots else ()
        if trail:
            message = f"the prereqs go in a circle: {' → '.join(trail)}"
            yield Problem("docs/map.yml", planned.line, "P003", message, "drop the weakest of them")
