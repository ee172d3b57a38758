"""Rules for the rules of thumb that the search shows."""

from __future__ import annotations

from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.rules.registry import library_rule
from gpubites.rules_of_thumb import RULES_OF_THUMB_PATH, stands_in


@library_rule("Y004")
def rule_of_thumb_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """docs/rules-of-thumb.yml is a list; an entry has the name of a `rule`, its `bite`, and what that `says`."""
    yield from library.errors_of("Y004")


@library_rule("Y005")
def rule_of_thumb_stands_in_its_bite(library: Library) -> Iterator[Problem]:
    """A rule of thumb is said by its bite, in these words: it has no number and no claim of its own."""
    for rule in library.rules_of_thumb:
        bite = library.by_slug.get(rule.bite)
        if not bite:
            hint = did_you_mean(rule.bite, library.by_slug)
            yield Problem(RULES_OF_THUMB_PATH, rule.line, "Y005", f"`{rule.bite}` is no written bite", hint)
        elif not stands_in(rule, bite):
            hint = "quote its explainer, model answer, footgun or follow-ups as they read, without links and emphasis"
            yield Problem(RULES_OF_THUMB_PATH, rule.line, "Y005", f"`{rule.bite}` does not say: {rule.says}", hint)
