"""Rules for the keywords, which the search finds a bite by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.problem import Problem
from gpubites.rules.registry import Finding, bite_rule, library_rule
from gpubites.search.words import words_of

FEWEST = 6
FEWEST_SYMPTOMS = 2
# What a sentence of a reader in trouble has at least.
SYMPTOM_WORDS = 4
# RuntimeError, cudaErrorInvalidDevice, NCCL_ERROR, CONTEXT_LOST_WEBGL
ERROR_NAME = re.compile(r"\w*(?:Error|Exception|Warning|ERR)\w*|\b[A-Z]{2,}[A-Z0-9]*(?:_[A-Z0-9]+)+\b")
# They stand in most bites: alone, or with each other only, they tell none from the rest.
_GENERIC = """
ai algorithm application basic basics bottleneck code compute computing concept cuda data deep device engineer engineering
explained fast gpu gpus graphics guide hardware inference interview introduction kernel kernels large learning llm machine
memory ml model models nvidia optimization optimize overview performance problem program programming question questions server
slow software speed system throughput tips training tutorial understanding work
"""
GENERIC = frozenset(_GENERIC.split())


@bite_rule("B008")
def keywords_are_what_people_type(bite: Bite, library: Library) -> Iterator[Finding]:
    """At least six keywords, none twice: synonyms, symptoms, error messages, the words people search with."""
    if "keywords" not in bite.source.front:
        return
    if len(bite.keywords) < FEWEST:
        said = f"{len(bite.keywords)} keywords, at least {FEWEST} are needed"
        yield Finding(bite.source.line_of("keywords"), said, "think of symptoms and error messages")
    seen: set[frozenset[str]] = set()
    for index, keyword in enumerate(bite.keywords):
        words = frozenset(words_of(keyword))
        if words in seen:
            hint = "the search minds neither case nor order"
            yield Finding(bite.source.line_of_item("keywords", index), f"keyword `{keyword}` stands twice", hint)
        seen.add(words)


@bite_rule("B012")
def two_keywords_are_symptoms(bite: Bite, library: Library) -> Iterator[Finding]:
    """At least two keywords are what a reader in trouble would type or paste: four words or more, or with the name of an error."""
    if "keywords" not in bite.source.front:
        return
    symptoms = sum(is_symptom(keyword) for keyword in bite.keywords)
    if symptoms < FEWEST_SYMPTOMS:
        are = "is a symptom or message" if symptoms == 1 else "are symptoms or messages"
        said = f"{symptoms} of the keywords {are}, at least {FEWEST_SYMPTOMS} are needed"
        yield Finding(bite.source.line_of("keywords"), said, "what does somebody see who needs this bite, in four words or more?")


def is_symptom(keyword: str) -> bool:
    """`kernel is slower than before`, or `OutOfMemoryError`."""
    return len(keyword.split()) >= SYMPTOM_WORDS or bool(ERROR_NAME.search(keyword))


@bite_rule("B013")
def keyword_tells_the_bite_from_others(bite: Bite, library: Library) -> Iterator[Finding]:
    """A keyword of one to three words holds one that is not generic; `gpu performance` would find half the library."""
    for index, keyword in enumerate(bite.keywords):
        if not is_symptom(keyword) and set(words_of(keyword)) <= GENERIC:
            said = f"keyword `{keyword}` is generic"
            yield Finding(bite.source.line_of_item("keywords", index), said, "say what is slow, large, asked for")


@library_rule("B014")
def keyword_leads_to_one_bite(library: Library) -> Iterator[Problem]:
    """A keyword stands in one bite: who types it wants the best one, and finds the others by their text."""
    taken: dict[frozenset[str], Bite] = {}
    for bite in library.bites:
        for index, keyword in enumerate(bite.keywords):
            other = taken.setdefault(frozenset(words_of(keyword)), bite)
            if other is not bite:
                line = bite.source.line_of_item("keywords", index)
                yield Problem(bite.path, line, "B014", f"keyword `{keyword}` already leads to {other.path}", "drop it in one of the two")
