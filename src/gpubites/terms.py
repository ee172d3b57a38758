"""The terms, docs/terms.yml: each term of art with one defining sentence, its bite, and what other vendors call it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from gpubites.problem import Wrong, did_you_mean, named
from gpubites.yaml_text import QUOTE, BadYaml, line_of, read_with_nodes, repeated_keys

TERMS_PATH = "docs/terms.yml"
VENDORS = ("nvidia", "amd", "webgpu")
ENTRY_KEYS = ("term", "bite", "means")
OPTIONAL_KEYS = ("aliases", "says", "in")
# What hints show.
ENTRY = "- {term: …, bite: its slug, means: one sentence.}"
SAYS = "says: {nvidia: warp, amd: wavefront}"


@dataclass(frozen=True)
class Term:
    """`says` is what each vendor calls it, for those of `VENDORS` that have a word; empty where the term is nobody's own.

    `sections` are those in whose bites the word means this: a `kernel` of infra is Linux's. Empty means all.
    """

    term: str
    aliases: tuple[str, ...]
    bite: str
    means: str
    says: dict[str, str]
    line: int
    sections: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The anchor on the page of terms: `KV cache` → `kv-cache`."""
        return re.sub(r"[^a-z0-9]+", "-", self.term.lower()).strip("-")

    @property
    def words(self) -> tuple[str, ...]:
        return (self.term, *self.aliases)


def read_terms(text: str) -> tuple[tuple[Term, ...], tuple[Wrong, ...]]:
    """The terms of a text, and what is wrong with it. Wrong entries are kept as far as they can be read."""
    try:
        entries, node = read_with_nodes(text)
    except BadYaml as error:
        return (), (Wrong(error.line + 1, str(error), QUOTE),)
    if not isinstance(entries, list) or not isinstance(node, yaml.SequenceNode):
        return (), (Wrong(1, "the terms are a list", ENTRY),)
    terms: list[Term] = []
    wrong = [Wrong(line + 1, f"`{key}` stands twice", "keep one") for line, key in repeated_keys(node)]
    for entry, entry_node in zip(entries, node.value, strict=True):
        line = line_of(entry_node) + 1
        if not isinstance(entry, dict) or not isinstance(entry_node, yaml.MappingNode):
            wrong.append(Wrong(line, f"a term is a mapping, not {named(entry)}", ENTRY))
            continue
        lines = {str(key.value): line_of(key) + 1 for key, _ in entry_node.value}
        name = named(entry["term"]) if "term" in entry else "a term"
        wrong += [Wrong(lines.get(key, line), f"{name}: {message}", hint) for key, message, hint in _wrong_with(entry)]
        terms.append(_term(entry, line))
    return tuple(terms), tuple(wrong)


def _wrong_with(entry: dict[object, object]) -> Iterator[tuple[str, str, str]]:
    """Key, message and hint, the key being where the problem stands."""
    known = ENTRY_KEYS + OPTIONAL_KEYS
    for key in entry:
        if key not in known:
            yield str(key), f"unknown key {named(key)}", did_you_mean(str(key), known) or f"the keys are {', '.join(known)}"
    for key in ENTRY_KEYS:
        if key not in entry:
            yield "", f"`{key}` is missing", ENTRY
        elif not _is_text(entry[key]):
            yield key, f"`{key}` is a text, not {named(entry[key])}", ENTRY
    aliases = entry.get("aliases", [])
    if not (isinstance(aliases, list) and all(_is_text(alias) for alias in aliases)):
        yield "aliases", "`aliases` is a list of texts", "aliases: [another word, one more]"
    sections = entry.get("in", [])
    if not (isinstance(sections, list) and all(_is_text(section) for section in sections)):
        yield "in", "`in` is a list of sections", "in: [mem, perf]"
    if "says" in entry:
        yield from (("says", message, SAYS) for message in _wrong_says(entry["says"]))


def _wrong_says(says: object) -> Iterator[str]:
    if not isinstance(says, dict):
        yield f"`says` is a mapping of vendors to words, not {named(says)}"
        return
    for vendor, word in says.items():
        if vendor not in VENDORS:
            yield f"vendor {named(vendor)} is not one of {', '.join(VENDORS)}"
        elif not _is_text(word):
            yield f"what {vendor} says is a text, not {named(word)}"
    if len(says) < 2:
        yield "a translation needs the words of two vendors"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _term(entry: dict[object, object], line: int) -> Term:
    def text(value: object) -> str:
        return value if isinstance(value, str) else ""

    aliases, says, sections = entry.get("aliases"), entry.get("says"), entry.get("in")
    return Term(
        term=text(entry.get("term")),
        aliases=tuple(alias for alias in aliases if isinstance(alias, str)) if isinstance(aliases, list) else (),
        bite=text(entry.get("bite")),
        means=text(entry.get("means")),
        says={vendor: text(says.get(vendor)) for vendor in VENDORS if text(says.get(vendor))} if isinstance(says, dict) else {},
        line=line,
        sections=tuple(section for section in sections if isinstance(section, str)) if isinstance(sections, list) else (),
    )
