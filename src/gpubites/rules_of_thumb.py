"""The rules of thumb, docs/rules-of-thumb.yml: words of bites that the search shows by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from gpubites.bite import Bite
from gpubites.problem import named
from gpubites.prose import plain
from gpubites.yaml_text import BadYaml, line_of, read_with_nodes

RULES_OF_THUMB_PATH = "docs/rules-of-thumb.yml"
ENTRY_KEYS = ("rule", "bite", "says")
RULE_OF_THUMB_ENTRY = '{rule: Ridge point, bite: roofline, says: "the ridge, peak divided by bandwidth."}'
# Where a bite states things itself: red flags and wrong answers say what is wrong.
PARTS = ("explainer", "model-answer", "footgun", "follow-ups")


@dataclass(frozen=True)
class RuleOfThumb:
    """`rule` is its name, `says` what stands in the bite."""

    rule: str
    bite: str
    says: str
    line: int


def read_rules_of_thumb(text: str) -> tuple[tuple[RuleOfThumb, ...], tuple[tuple[int, str], ...]]:
    """The entries of a text, and what is wrong with it as (line, message). Wrong entries are left out."""
    try:
        entries, node = read_with_nodes(text)
    except BadYaml as error:
        return (), ((error.line + 1, str(error)),)
    if not isinstance(entries, list) or not isinstance(node, yaml.SequenceNode):
        return (), ((1, "the rules of thumb are a list"),)
    found: list[RuleOfThumb] = []
    wrong: list[tuple[int, str]] = []
    for entry, entry_node in zip(entries, node.value, strict=True):
        line = line_of(entry_node) + 1
        problems = list(_wrong_with(entry))
        wrong += [(line, message) for message in problems]
        if not problems:
            found.append(RuleOfThumb(entry["rule"], entry["bite"], entry["says"], line))
    return tuple(found), tuple(wrong)


def _wrong_with(entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"an entry is a mapping of {', '.join(ENTRY_KEYS)}, not {named(entry)}"
        return
    yield from (f"unknown key {named(key)}" for key in entry if key not in ENTRY_KEYS)
    for key in ENTRY_KEYS:
        if key not in entry:
            yield f"`{key}` is missing"
        elif not (isinstance(entry[key], str) and entry[key].strip()):
            yield f"`{key}` is a text, not {named(entry[key])}"


def stands_in(rule: RuleOfThumb, bite: Bite) -> str:
    """The anchor of the part that says it, or an empty text where none does."""
    said = _flat(rule.says)
    parts = ((anchor, bite.part(anchor)) for anchor in PARTS)
    return next((anchor for anchor, part in parts if part and said in _flat(plain(part.body))), "")


def _flat(text: str) -> str:
    return " ".join(text.split())
