"""How rules are declared and run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.problem import Problem


@dataclass(frozen=True)
class Finding:
    """What a bite rule yields: line, message, hint. The path and the code are added by the runner."""

    line: int
    message: str
    hint: str = ""


BiteRule = Callable[[Bite, Library], Iterable[Finding]]
LibraryRule = Callable[[Library], Iterable[Problem]]


@dataclass(frozen=True)
class Rule:
    """`code` is for good, as an address is; `explanation` is the function's docstring."""

    code: str
    name: str
    explanation: str
    run: LibraryRule


RULES: dict[str, Rule] = {}


def bite_rule(code: str) -> Callable[[BiteRule], BiteRule]:
    """A rule that looks at one bite at a time."""

    def register(function: BiteRule) -> BiteRule:
        def run(library: Library) -> Iterator[Problem]:
            for bite in library.bites:
                for finding in function(bite, library):
                    yield Problem(bite.path, finding.line, code, finding.message, finding.hint)

        _add(code, function, run)
        return function

    return register


def library_rule(code: str) -> Callable[[LibraryRule], LibraryRule]:
    """A rule that looks at the library as a whole."""

    def register(function: LibraryRule) -> LibraryRule:
        _add(code, function, function)
        return function

    return register


def _add(code: str, function: BiteRule | LibraryRule, run: LibraryRule) -> None:
    assert code not in RULES, f"{code} is taken"
    RULES[code] = Rule(code, function.__name__.replace("_", " "), inspect.getdoc(function) or "", run)


def check(library: Library, without: frozenset[str] = frozenset()) -> list[Problem]:
    """Every problem of every file, in reading order. `without` switches rules off, for the rules' own tests."""
    rules = [rule for code, rule in sorted(RULES.items()) if code not in without]
    return sorted({problem for rule in rules for problem in rule.run(library)})
