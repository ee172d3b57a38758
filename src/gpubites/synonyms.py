"""The synonyms, docs/synonyms.yml: phrases that mean the same to somebody who searches, each entry with a query that tries it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from gpubites.problem import named
from gpubites.yaml_text import BadYaml, line_of, read_with_nodes

SYNONYMS_PATH = "docs/synonyms.yml"
ENTRY_KEYS = ("words", "query", "finds")
SYNONYM_ENTRY = "{words: [smem, shared memory], query: smem tile padding, finds: bank-conflicts}"


@dataclass(frozen=True)
class Synonym:
    """`query` is one that needs the entry to find the bite `finds`."""

    words: tuple[str, ...]
    query: str
    finds: str
    line: int


def read_synonyms(text: str) -> tuple[tuple[Synonym, ...], tuple[tuple[int, str], ...]]:
    """The entries of a text, and what is wrong with it as (line, message). Wrong entries are left out."""
    try:
        entries, node = read_with_nodes(text)
    except BadYaml as error:
        return (), ((error.line + 1, str(error)),)
    if not isinstance(entries, list) or not isinstance(node, yaml.SequenceNode):
        return (), ((1, "the synonyms are a list"),)
    found: list[Synonym] = []
    wrong: list[tuple[int, str]] = []
    for entry, entry_node in zip(entries, node.value, strict=True):
        line = line_of(entry_node) + 1
        problems = list(_wrong_with(entry))
        wrong += [(line, message) for message in problems]
        if not problems:
            found.append(Synonym(tuple(entry["words"]), entry["query"], entry["finds"], line))
    return tuple(found), tuple(wrong)


def _wrong_with(entry: object) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"an entry is a mapping of {', '.join(ENTRY_KEYS)}, not {named(entry)}"
        return
    yield from (f"unknown key {named(key)}" for key in entry if key not in ENTRY_KEYS)
    yield from (f"`{key}` is missing" for key in ENTRY_KEYS if key not in entry)
    words = entry.get("words", ["", ""])
    if not (isinstance(words, list) and len(words) > 1 and all(isinstance(word, str) for word in words)):
        yield "`words` is a list of two texts or more"
    for key in ("query", "finds"):
        if key in entry and not (isinstance(entry[key], str) and entry[key].strip()):
            yield f"`{key}` is a text, not {named(entry[key])}"
