"""The synonyms, docs/synonyms.yml: phrases that mean the same to somebody who searches, each entry with a query that tries it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gpubites.yaml_list import Entry, sound_entries, wrong_texts

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
    entries, wrong = sound_entries(text, "synonyms", ENTRY_KEYS, _wrong_values)
    return tuple(Synonym(tuple(entry["words"]), entry["query"], entry["finds"], line) for entry, line in entries), wrong


def _wrong_values(entry: Entry) -> Iterator[str]:
    words = entry.get("words", ["", ""])
    if not (isinstance(words, list) and len(words) > 1 and all(isinstance(word, str) for word in words)):
        yield "`words` is a list of two texts or more"
    yield from wrong_texts(entry, ("query", "finds"))
