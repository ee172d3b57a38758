"""Rules for the synonyms of the search."""

from __future__ import annotations

from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.rules.registry import library_rule
from gpubites.search.words import words_of
from gpubites.synonyms import SYNONYMS_PATH, Synonym


@library_rule("Y001")
def synonym_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """docs/synonyms.yml is a list; an entry has `words` (two or more phrases), a `query` that tries it, and the bite it `finds`."""
    yield from library.errors_of("Y001")


@library_rule("Y002")
def synonym_finds_a_bite(library: Library) -> Iterator[Problem]:
    """What an entry's query finds is a written bite; the tests run the query."""
    for synonym in library.synonyms:
        if synonym.finds not in library.by_slug:
            yield _problem(synonym, "Y002", f"`{synonym.finds}` is no written bite", did_you_mean(synonym.finds, library.by_slug))


@library_rule("Y003")
def phrase_stands_in_one_entry(library: Library) -> Iterator[Problem]:
    """A phrase stands in one entry, as no other phrase of it, and is more than stop words."""
    taken: dict[str, int] = {}
    for synonym in library.synonyms:
        for phrase in synonym.words:
            words = " ".join(words_of(phrase))
            if not words:
                yield _problem(synonym, "Y003", f"`{phrase}` holds no word that is searched for", "stop words are left out of every search")
            elif words in taken:
                yield _problem(
                    synonym, "Y003", f"`{phrase}` already stands in line {taken[words]}", "one entry lists all that mean the same"
                )
            taken.setdefault(words, synonym.line)


def _problem(synonym: Synonym, code: str, message: str, hint: str) -> Problem:
    return Problem(SYNONYMS_PATH, synonym.line, code, message, hint)
