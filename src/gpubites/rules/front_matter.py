"""Rules for the part that machines read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from difflib import get_close_matches

from gpubites.bite import FRONT_KEYS, KINDS, LEVELS, ROLES, Bite
from gpubites.content_map import SLUG, circle, knotted
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean, named
from gpubites.rules.registry import Finding, bite_rule, library_rule
from gpubites.source import EMPTY, NO_FRONT, NOT_CLOSED
from gpubites.yaml_text import QUOTE

SOURCE_KEYS = ("title", "url", "kind", "for")
SOURCE = '{title: …, url: "https://…", kind: primary, for: what it was used for}'
CHECKED = "{on: 2026-11-30, how: live}"
ADDRESS = re.compile(r"https://[^\s/]+\.[^\s/]+(?:/\S*)?")


@bite_rule("B001")
def front_matter_can_be_read(bite: Bite, library: Library) -> Iterator[Finding]:
    """A bite opens with YAML front matter between two `---` lines, each key once."""
    if not bite.source.front_error:
        return
    line, message = bite.source.front_error
    hints = {
        EMPTY: f"delete it, then: make new bite={bite.source.folder}/{bite.slug}",
        NO_FRONT: "as `make new` writes it: ---, the keys, ---, and then the sections",
        NOT_CLOSED: f"a line `---` before line {bite.source.preamble_line}, where it seems to end",
    }
    yield Finding(line, message, hints.get(message, QUOTE))


@bite_rule("B002")
def front_matter_is_closed(bite: Bite, library: Library) -> Iterator[Finding]:
    """The front matter has exactly the keys of the template (`make new`); there are no others."""
    if bite.source.front_error and not bite.source.front:
        return
    missing = [key for key in FRONT_KEYS if key not in bite.source.front]
    for key in bite.source.front:
        if key not in FRONT_KEYS:
            # Most likely one that is missing; that one is then told here and not twice.
            meant = next(iter(get_close_matches(key, missing, n=1)), "")
            missing = [other for other in missing if other != meant]
            hint = f"did you mean `{meant}`?" if meant else f"delete it; the keys are {', '.join(FRONT_KEYS)}"
            yield Finding(bite.source.line_of(key), f"unknown key `{key}`", hint)
    for key in missing:
        yield Finding(1, f"`{key}` is missing", f"add it: {key}: {_example(key, library)}")


def _example(key: str, library: Library) -> str:
    closed = {"kind": KINDS, "level": LEVELS, "section": tuple(library.sections), "roles": ROLES}
    if key in closed:
        return f"[{', '.join(closed[key])}]" if key == "roles" else f"one of {', '.join(closed[key])}"
    return {"sources": f"[{SOURCE}]", "checked": CHECKED, "title": "…", "question": "…?", "keywords": "[…]"}.get(key, "[]")


@bite_rule("B003")
def values_are_typed(bite: Bite, library: Library) -> Iterator[Finding]:
    """Every value has its type, and words come from closed lists: kinds, levels, sections, roles."""
    front, line_of = bite.source.front, bite.source.line_of
    for key in ("title", "question"):
        if key in front and not (isinstance(front[key], str) and str(front[key]).strip()):
            yield Finding(line_of(key), f"`{key}` is a text", f'{key}: "…"')
    for key, closed in (("kind", KINDS), ("level", LEVELS), ("section", tuple(library.sections))):
        if key in front and closed and front[key] not in closed:
            hint = did_you_mean(str(front[key]), closed) or f"choose one of {', '.join(closed)}"
            yield Finding(line_of(key), f"{key} {named(front[key])} is not one of {', '.join(closed)}", hint)
    for key in ("roles", "prereqs", "aliases", "keywords"):
        value = front.get(key)
        if key in front and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            yield Finding(line_of(key), f"`{key}` is a list of texts", f"{key}: []" if key != "roles" else "roles: [all]")
    for role in bite.roles:
        if role not in ROLES:
            yield Finding(line_of("roles"), f"role `{role}` is not one of {', '.join(ROLES)}", did_you_mean(role, ROLES) or "roles: [all]")
    if front.get("roles") == []:
        yield Finding(line_of("roles"), "a bite has at least one role", "roles: [all]")


@bite_rule("B004")
def checked_says_when_and_how(bite: Bite, library: Library) -> Iterator[Finding]:
    """`checked` is the day the facts were read against the sources, not one still to come, and whether live or from a stored copy."""
    if "checked" not in bite.source.front:
        return
    checked, line = bite.source.front["checked"], bite.source.line_of("checked")
    if not isinstance(checked, dict) or set(checked) != {"on", "how"}:
        yield Finding(line, "`checked` is {on, how}", CHECKED)
        return
    if not isinstance(checked["on"], date) or isinstance(checked["on"], datetime):
        yield Finding(line, f"{named(checked['on'])} is not a day", CHECKED)
    elif is_ahead(checked["on"], library.today):
        yield Finding(line, f"{checked['on']} is still to come", "the day on which the facts were read against the sources")
    if checked["how"] not in ("live", "stored"):
        yield Finding(line, f"how {named(checked['how'])} is not one of live, stored", CHECKED)


def is_ahead(day: date, today: date) -> bool:
    """It is tomorrow already somewhere on Earth."""
    return day > today + timedelta(days=1)


@bite_rule("B005")
def prereqs_exist(bite: Bite, library: Library) -> Iterator[Finding]:
    """A prerequisite is a bite, written or planned in docs/map.yml, named once."""
    for index, slug in enumerate(bite.prereqs):
        line = bite.source.line_of_item("prereqs", index)
        if not library.knows(slug):
            hint = did_you_mean(slug, library.planned) or "a slug of docs/map.yml; `make new` enters one"
            yield Finding(line, f"prereq `{slug}` is no bite", hint)
        if slug in bite.prereqs[:index]:
            yield Finding(line, f"prereq `{slug}` stands twice", "delete it")


@library_rule("B006")
def prereqs_have_no_cycle(library: Library) -> Iterator[Problem]:
    """Following prerequisites never leads back: a reader has to be able to begin somewhere."""
    prereqs = {planned.slug: planned.prereqs for planned in library.planned.values()}
    prereqs |= {bite.slug: bite.prereqs for bite in library.bites}
    knots = knotted(prereqs)
    for bite in library.bites:
        trail = circle(bite.slug, prereqs) if bite.slug in knots else ()
        if trail:
            message = f"the prereqs go in a circle: {' → '.join(trail)}"
            yield Problem(bite.path, bite.source.line_of("prereqs"), "B006", message, "drop the weakest of them")


@bite_rule("B007")
def slug_and_place_agree(bite: Bite, library: Library) -> Iterator[Finding]:
    """A bite lies in the folder of its section, and its file name is a slug: lower-case words joined by hyphens."""
    if not SLUG.fullmatch(bite.slug):
        hint = "rename the file: lower-case words and digits joined by hyphens, such as bank-conflicts.md"
        yield Finding(1, f"`{bite.slug}` is no slug", hint)
    if bite.section in library.sections and bite.source.folder != bite.section:
        message = f"section `{bite.section}` does not match the folder `{bite.source.folder}`"
        yield Finding(bite.source.line_of("section"), message, f"section: {bite.source.folder}, or move it to docs/bites/{bite.section}/")


@bite_rule("B009")
def sources_can_be_followed(bite: Bite, library: Library) -> Iterator[Finding]:
    """Two or more sources, at least one of them primary, each with title, https address, kind, and what it was used for."""
    if "sources" not in bite.source.front:
        return
    line = bite.source.line_of("sources")
    entries = bite.source.front["sources"]
    if not isinstance(entries, list):
        yield Finding(line, f"`sources` is a list, not {named(entries)}")
        return
    for index, entry in enumerate(entries):
        for message in _wrong_source(entry):
            yield Finding(bite.source.line_of_item("sources", index), message, SOURCE)
    addresses = [entry.get("url") if isinstance(entry, dict) else None for entry in entries]
    for index, address in enumerate(addresses):
        if address and address in addresses[:index] and not any(_wrong_source(entries[index])):
            line_of_second = bite.source.line_of_item("sources", index)
            yield Finding(line_of_second, f"{named(address)} stands twice", "one entry says all it is for")
    if len(entries) < 2:
        yield Finding(line, f"{len(entries)} {'source' if len(entries) == 1 else 'sources'}, at least two are needed", "- " + SOURCE)
    if not any(source.kind == "primary" for source in bite.sources):
        yield Finding(line, "no source is primary", "a vendor's manual, a specification, the paper itself")


def _wrong_source(entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"a source is {{{', '.join(SOURCE_KEYS)}}}, not {named(entry)}"
        return
    yield from (f"a source has no key {named(key)}" for key in entry if key not in SOURCE_KEYS)
    for key in SOURCE_KEYS:
        value = entry.get(key)
        if key not in entry:
            yield f"a source without `{key}`"
        elif not (isinstance(value, str) and value.strip()):
            yield f"a source's `{key}` is a text, not {named(value)}"
        elif key == "kind" and value not in ("primary", "secondary"):
            yield f"source kind `{value}` is not one of primary, secondary"
        elif key == "url" and not ADDRESS.fullmatch(value):
            yield f"`{value}` is no https address"


@library_rule("B010")
def slugs_and_aliases_are_unique(library: Library) -> Iterator[Problem]:
    """A slug or an alias leads to one bite for good, whatever the section."""
    taken: dict[str, str] = {}
    for bite in library.bites:
        if bite.slug in taken:
            yield Problem(bite.path, 1, "B010", f"`{bite.slug}` already leads to {taken[bite.slug]}", "give it another slug")
        taken.setdefault(bite.slug, bite.path)
    for bite in library.bites:
        for index, alias in enumerate(bite.aliases):
            line = bite.source.line_of_item("aliases", index)
            if not SLUG.fullmatch(alias):
                yield Problem(bite.path, line, "B010", f"alias `{alias}` is no slug", "lower-case words joined by hyphens")
            elif alias in taken:
                yield Problem(bite.path, line, "B010", f"alias `{alias}` already leads to {taken[alias]}", "delete it")
            elif alias in library.planned:
                yield Problem(bite.path, line, "B010", f"alias `{alias}` is planned as a bite of its own in docs/map.yml", "delete it")
            taken.setdefault(alias, bite.path)


@bite_rule("B011")
def bite_stands_in_the_map(bite: Bite, library: Library) -> Iterator[Finding]:
    """docs/map.yml knows every bite: it gives the order of lists and keeps slugs for good."""
    if bite.slug not in library.planned and not library.errors_of("P001"):
        yield Finding(
            1,
            f"`{bite.slug}` does not stand in docs/map.yml",
            did_you_mean(bite.slug, library.planned) or "add it to the map first",
        )
