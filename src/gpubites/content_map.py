"""The content map, docs/map.yml: the sections, and every bite that is planned, in the order of every list on the site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from gpubites.bite import KINDS, LEVELS, ROLES
from gpubites.problem import Wrong, did_you_mean, named
from gpubites.yaml_text import QUOTE, BadYaml, line_of, read_with_nodes, repeated_keys

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
NEEDS = ("pyodide", "webgl", "cuda")
ENTRY_KEYS = ("slug", "topic_title", "section", "kind", "level", "idea", "prereqs", "needs", "roles")
OPTIONAL_KEYS = ("must",)
# What hints show.
WHOLE = "sections: {mem: Memory} and bites: [- slug: …]"
AS_OTHERS = "as the other entries of the map say it"
ENTRY = "`make new bite=<section>/<slug>` enters one"


@dataclass(frozen=True)
class Planned:
    """A bite of the content map, written or not."""

    slug: str
    title: str
    section: str
    kind: str
    level: str
    roles: tuple[str, ...]
    prereqs: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class ContentMap:
    """`unreadable`: the map as a whole cannot be read; `wrong`: single entries are."""

    sections: dict[str, str] = field(default_factory=dict)
    planned: dict[str, Planned] = field(default_factory=dict)
    unreadable: tuple[Wrong, ...] = ()
    wrong: tuple[Wrong, ...] = ()


def read_map(text: str) -> ContentMap:
    """The map of a text. Wrong entries are kept as far as they can be read."""
    try:
        data, node = read_with_nodes(text)
    except BadYaml as error:
        return ContentMap(unreadable=(Wrong(error.line + 1, str(error), QUOTE),))
    if not isinstance(data, dict) or not isinstance(node, yaml.MappingNode) or set(data) != {"sections", "bites"}:
        return ContentMap(unreadable=(Wrong(1, "the map is a mapping of `sections` and `bites`, and nothing else", WHOLE),))
    nodes = {str(key.value): value for key, value in node.value}
    sections, entries, listed = data["sections"], data["bites"], nodes["bites"]
    if not isinstance(sections, dict) or not all(isinstance(word, str) for pair in sections.items() for word in pair):
        return ContentMap(unreadable=(Wrong(line_of(nodes["sections"]) + 1, "`sections` is a mapping of short names to names", WHOLE),))
    if not isinstance(entries, list) or not isinstance(listed, yaml.SequenceNode):
        return ContentMap(unreadable=(Wrong(line_of(listed) + 1, "`bites` is a list", WHOLE),))

    planned: dict[str, Planned] = {}
    wrong = [Wrong(line + 1, f"`{key}` stands twice", "keep one") for line, key in repeated_keys(node)]
    for entry, entry_node in zip(entries, listed.value, strict=True):
        line = line_of(entry_node) + 1
        if not isinstance(entry, dict) or not isinstance(entry_node, yaml.MappingNode):
            wrong.append(Wrong(line, f"a planned bite is a mapping, not {named(entry)}", ENTRY))
            continue
        lines = {str(key.value): line_of(key) + 1 for key, _ in entry_node.value}
        name = named(entry["slug"]) if "slug" in entry else "a planned bite"
        wrong += [Wrong(lines.get(key, line), f"{name}: {message}", hint) for key, message, hint in _wrong_with(entry, sections)]
        bite = _planned(entry, line)
        if bite.slug in planned:
            wrong.append(Wrong(line, f"{name} already stands in line {planned[bite.slug].line}", "a slug stands once"))
        elif bite.slug:
            planned[bite.slug] = bite
    return ContentMap(sections, planned, (), tuple(wrong))


def _wrong_with(entry: dict[object, object], sections: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Key, message and hint, the key being where the problem stands."""
    known = ENTRY_KEYS + OPTIONAL_KEYS
    for key in entry:
        if key not in known:
            yield str(key), f"unknown key {named(key)}", did_you_mean(str(key), known) or f"the keys are {', '.join(known)}"
    for key in ENTRY_KEYS:
        if key not in entry:
            yield "", f"`{key}` is missing", f"the keys are {', '.join(ENTRY_KEYS)}"
    for key in known:
        if key in entry:
            hint = did_you_mean(str(entry[key]), {"section": tuple(sections), "kind": KINDS, "level": LEVELS}.get(key, ()))
            yield from ((key, message, hint or AS_OTHERS) for message in _wrong_value(key, entry[key], sections))


def _wrong_value(key: str, value: object, sections: dict[str, str]) -> Iterator[str]:
    one_of = {"section": tuple(sections), "kind": KINDS, "level": LEVELS}.get(key)
    each_of = {"roles": ROLES, "needs": NEEDS}.get(key)
    if one_of is not None and value not in one_of:
        yield f"{key} {named(value)} is not one of {', '.join(one_of)}"
    elif key in ("roles", "needs", "prereqs") and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        yield f"`{key}` is a list of texts"
    elif each_of and isinstance(value, list):
        yield from (f"`{item}` is not one of {', '.join(each_of)}" for item in value if item not in each_of)
    elif key == "slug" and not (isinstance(value, str) and SLUG.fullmatch(value)):
        yield "a slug is lower-case words and digits joined by hyphens"
    elif key in ("topic_title", "idea") and not (isinstance(value, str) and value.strip()):
        yield f"`{key}` is a text, not {named(value)}"
    elif key == "must" and not isinstance(value, bool):
        yield f"`must` is true or absent, not {named(value)}"


def _planned(entry: dict[object, object], line: int) -> Planned:
    def text(key: str) -> str:
        value = entry.get(key)
        return value if isinstance(value, str) else ""

    def texts(key: str) -> tuple[str, ...]:
        value = entry.get(key)
        return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()

    return Planned(
        slug=text("slug"),
        title=text("topic_title"),
        section=text("section"),
        kind=text("kind"),
        level=text("level"),
        roles=texts("roles"),
        prereqs=texts("prereqs"),
        line=line,
    )


def circle(slug: str, prereqs: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The way along prerequisites from `slug` back to it; empty where there is none, as there should be."""
    trails: list[tuple[str, ...]] = [(slug,)]
    seen: set[str] = set()
    while trails:
        trail = trails.pop()
        for other in prereqs.get(trail[-1], ()):
            if other == slug:
                return (*trail, slug)
            if other not in seen:
                seen.add(other)
                trails.append((*trail, other))
    return ()


def knotted(prereqs: dict[str, tuple[str, ...]]) -> set[str]:
    """The slugs from which following prerequisites may never end: what is left when all that ends is taken away."""
    left = {slug: {other for other in others if other in prereqs} for slug, others in prereqs.items()}
    while free := [slug for slug, others in left.items() if not others]:
        for slug in free:
            del left[slug]
        for others in left.values():
            others.difference_update(free)
    return set(left)
