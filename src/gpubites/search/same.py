"""What means the same: a term and its abbreviations, what other vendors call it, and the synonyms. Phrases are reduced to their words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gpubites.library import Library
from gpubites.search.words import words_of


def same_meaning(library: Library) -> list[list[str]]:
    """Groups of phrases that stand for each other."""
    groups = (reduced(group) for group in (*(term.words for term in library.terms), *(synonym.words for synonym in library.synonyms)))
    return [group for group in groups if len(group) > 1]


def called_elsewhere(library: Library) -> dict[str, str]:
    """What another vendor calls a thing → what bites call it."""
    said = ((name, term) for term in library.terms for vendor, words in term.says.items() if vendor != "nvidia" for name in _names(words))
    pairs = ((_reduced(name), _reduced(term.term), reduced(term.words)) for name, term in said)
    return {name: ours for name, ours, known in pairs if name and ours and name not in known}


def reduced(phrases: Iterable[str]) -> list[str]:
    """Each once, in order, without its stop words."""
    return [phrase for phrase in dict.fromkeys(map(_reduced, phrases)) if phrase]


def _reduced(phrase: str) -> str:
    return " ".join(words_of(phrase))


def _names(said: str) -> list[str]:
    """`local data share (LDS)` is two names."""
    return [name.strip() for name in re.split(r"[()]", said) if name.strip()]
