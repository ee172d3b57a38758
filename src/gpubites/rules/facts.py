"""Rules for quotable numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.bite import SECTIONS, Bite
from gpubites.facts import disagreement
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.prose import FACT_LINK, IMAGE, find_in_prose
from gpubites.rules.registry import Finding, bite_rule, library_rule

# Rates and capacities of machines. Counted nouns, times and per cents are left to the reviewer.
QUOTABLE = re.compile(
    r"(?<![\w.])\d[\d,]*(?:\.\d+)?[\s-]?"
    r"(?:[kMGTP]B/s|[GT]bit/s|[GTP]FLOP/s|[GTP]FLOPS|[GTP]FLOPs|TOPS|TOP/s|[GTP]B|[KMGT]iB|GHz|MHz|k?W)(?![\w/])"
)


@library_rule("N001")
def fact_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """A fact has exactly its keys, a number as its value, and words from closed lists; or a formula over other facts."""
    yield from library.errors_of("N001")


@library_rule("N002")
def fact_ids_are_unique(library: Library) -> Iterator[Problem]:
    """A fact stands once, in one file."""
    seen: dict[str, str] = {}
    for fact in library.all_facts:
        if fact.id and fact.id in seen:
            yield Problem(fact.path, fact.line, "N002", f"`{fact.id}` already stands in {seen[fact.id]}")
        seen.setdefault(fact.id, f"{fact.path}:{fact.line}")


@library_rule("N003")
def formula_can_be_computed(library: Library) -> Iterator[Problem]:
    """A derived fact's formula holds numbers, facts and arithmetic, and does not go in a circle."""
    yield from library.errors_of("N003")


@bite_rule("N004")
def fact_link_leads_to_a_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """`[600 GB/s](fact:a100-nvlink-total)` names a fact of facts/*.yml."""
    for found in find_in_prose(FACT_LINK, bite.source.text, 1):
        if found.match["id"] not in library.facts:
            yield Finding(found.line, f"`{found.match['id']}` is no fact", did_you_mean(found.match["id"], library.facts))


@bite_rule("N005")
def fact_link_says_the_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """The text of a fact link is the fact's number and unit; rounding to the digits shown and SI prefixes are allowed."""
    for found in find_in_prose(FACT_LINK, bite.source.text, 1):
        fact = library.facts.get(found.match["id"])
        wrong = disagreement(found.match["text"], fact) if fact else ""
        if fact and wrong:
            yield Finding(found.line, f"`{found.match['text']}` ({fact.id}): {wrong}", f"[{fact.text}](fact:{fact.id})")


@bite_rule("N006")
def quotable_number_is_a_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """A rate or a capacity in prose (`3.35 TB/s`, `80 GB`) is a link to its fact. Quizzes may compute in the open."""
    for anchor in SECTIONS.values():
        section = bite.part(anchor)
        if not section or anchor == "quiz":
            continue
        # The words of a picture cannot hold a link.
        linked = section.body
        for linking in (FACT_LINK, IMAGE):
            linked = linking.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), linked)
        for found in find_in_prose(QUOTABLE, linked, section.body_line):
            yield Finding(found.line, f"`{found.match[0]}` has no fact behind it", f"[{found.match[0]}](fact:…), see facts/")
