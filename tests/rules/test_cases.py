"""Every rule finds what it is for, on the right line, and nothing else: one changed line, one problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from gpubites.library import load_library
from gpubites.problem import Problem
from gpubites.rules import RULES, check

HERE = Path(__file__).parent
GOOD = HERE / "good"


@dataclass(frozen=True)
class Case:
    """See the head of cases.yml."""

    rule: str
    file: str
    line: int
    message: str
    good: str = ""
    bad: str = ""
    rename: str = ""
    at: str = ""
    edit: int = 0
    hint: str = ""
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"

    @property
    def place(self) -> str:
        return f"{self.at or self.rename or self.file}:{self.line} {self.rule}"


def read_cases() -> list[Case]:
    entries = yaml.safe_load((HERE / "cases.yml").read_text(encoding="utf-8"))
    return [Case(**{**entry, "also": tuple(entry.get("also", ()))}) for entry in entries]


CASES = read_cases()


def break_it(project: Path, case: Case) -> None:
    """Change the one line that the case names, or move the file."""
    path = project / case.file
    if case.rename:
        target = project / case.rename
        target.parent.mkdir(exist_ok=True)
        path.replace(target)
        return
    lines = path.read_bytes().decode().split("\n")
    places = [number for number, line in enumerate(lines, start=1) if line == case.good and case.edit in (0, number)]
    assert len(places) == 1, f"the good line stands in {case.file} {len(places)} times: {case.good}"
    lines[places[0] - 1] = case.bad
    path.write_bytes("\n".join(lines).encode())


def places_of(problems: Iterable[Problem]) -> list[str]:
    return sorted({f"{problem.path}:{problem.line} {problem.code}" for problem in problems})


def assert_found(problems: list[Problem], case: Case) -> None:
    """The problem of the case is there, says what it should, and comes with no other than those announced."""
    assert places_of(problems) == sorted({case.place, *case.also})
    said = [problem for problem in problems if places_of([problem]) == [case.place] and case.message in problem.message]
    assert said, [problem.message for problem in problems]
    assert case.hint in said[0].hint
    assert all(problem.hint for problem in problems), "a problem says how to mend it"


def test_the_good_library_has_no_problem() -> None:
    assert check(load_library(GOOD)) == []


def test_every_rule_has_a_case() -> None:
    assert {case.rule for case in CASES} == set(RULES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_changed_line_is_found_by_its_rule_alone(case: Case, project: Path) -> None:
    break_it(project, case)
    library = load_library(project)
    assert_found(check(library), case)
    without = check(library, without=frozenset({case.rule}))
    with pytest.raises(AssertionError):
        assert_found(without, case)
    assert places_of(without) == [place for place in sorted(case.also) if not place.endswith(case.rule)]


def test_every_rule_explains_itself() -> None:
    for rule in RULES.values():
        assert len(rule.explanation.split()) >= 5, f"{rule.code} needs a docstring"
