"""Rules for the terms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.rules.registry import library_rule
from gpubites.terms import TERMS_PATH, Term

MOST_WORDS = 40
# A full stop, question or exclamation mark that another sentence follows.
NEXT_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")


@library_rule("T001")
def term_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """docs/terms.yml is a list; a term has exactly its keys, each of its type, and the words of at least two vendors or none."""
    yield from library.errors_of("T001")


@library_rule("T002")
def term_leads_to_a_bite(library: Library) -> Iterator[Problem]:
    """The bite of a term is one, written or planned in docs/map.yml, and `in` names sections of that map."""
    for term in library.terms:
        for section in term.sections if library.sections else ():
            if section not in library.sections:
                hint = did_you_mean(section, library.sections) or f"the sections are {', '.join(library.sections)}"
                yield _problem(term, "T002", f"`{section}` is no section", hint)
        if term.bite and not library.knows(term.bite):
            yield _problem(term, "T002", f"`{term.bite}` is no bite", did_you_mean(term.bite, library.planned) or "a slug of docs/map.yml")


@library_rule("T003")
def words_are_defined_once(library: Library) -> Iterator[Problem]:
    """A word, be it a term or an alias, is defined once, and so is the address that is made from a term."""
    taken: dict[str, Term] = {}
    for term in library.terms:
        for word in dict.fromkeys([*(word.lower() for word in term.words), term.id]):
            other = taken.setdefault(word, term) if word else term
            if other is not term:
                yield _problem(term, "T003", f"`{word}` is already defined in line {other.line}", "drop one of them")
        if term.term and not term.id:
            yield _problem(term, "T003", "no address can be made from it", "a term holds a letter or a digit")


@library_rule("T004")
def one_sentence_defines(library: Library) -> Iterator[Problem]:
    """A definition is one sentence of at most 40 words that ends in a full stop."""
    for term in library.terms:
        words = len(term.means.split())
        if term.means and (not term.means.endswith(".") or NEXT_SENTENCE.search(term.means)):
            yield _problem(term, "T004", "the definition is not one sentence", "the rest belongs into the bite")
        if words > MOST_WORDS:
            yield _problem(term, "T004", f"the definition has {words} words, at most {MOST_WORDS} are read", "what does it rest on?")


@library_rule("T005")
def bite_uses_the_term(library: Library) -> Iterator[Problem]:
    """Once the bite of a term is written, the term or one of its aliases stands in it."""
    # A file that cannot be read has a problem of its own.
    texts = {bite.slug: " ".join(bite.source.text.lower().split()) for bite in library.bites if not bite.source.front_error}
    for term in library.terms:
        if term.bite in texts and not any(word.lower() in texts[term.bite] for word in term.words if word):
            yield _problem(term, "T005", f"`{term.bite}` does not use the word", "name the bite that explains it, or add an alias")


def _problem(term: Term, code: str, message: str, hint: str) -> Problem:
    return Problem(TERMS_PATH, term.line, code, f"`{term.term}`: {message}", hint)
