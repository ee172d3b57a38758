"""One run reports everything: a bite broken in ten ways, and counts at their very edges."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpubites.library import load_library
from gpubites.problem import Problem
from gpubites.rules import check

BITE = "docs/bites/mem/coalescing.md"
# Line as it stands → what is put there, and the problem that follows.
TEN_WAYS = {
    "level: beginner": ("level: easy", "5 B003"),
    "prereqs: [warps]": ("prereqs: [wraps]", "8 B005"),
    "checked: {on: 2026-11-30, how: stored}": ("checked: {on: soon, how: stored}", "14 B004"),
    "![Eight lanes of a warp and the sectors they read](../../assets/figures/coalescing.svg)": (
        "![Lanes](../../assets/figures/coalescing.svg)",
        "23 M001",
    ),
    "- (3) names the unit: sectors of [32 bytes](fact:transaction) per request of a warp": (
        "- (3) names the unit: sectors of [64 bytes](fact:transaction) per request of a warp",
        "48 N005",
    ),
    "- (1) orders the cures": ("- orders the cures", "50 B023"),
    "- > Coalescing means using shared memory.": ("- Coalescing means using shared memory.", "54 B024"),
    "**Cure**: one array per field.": ("Simply use one array per field.", "66 W002"),
    '```python {src="count_sectors.py" part="count" run="yes"}': (
        '```python {src="count_sectors.py" part="counts" run="yes"}',
        "72 S001",
    ),
    "- [x] 8": ("- [ ] 8", "89 B033"),
}


def places_in(problems: list[Problem], path: str) -> list[str]:
    return [f"{problem.line} {problem.code}" for problem in problems if problem.path == path]


def test_a_bite_broken_in_ten_ways_reports_ten_problems_in_one_run(project: Path) -> None:
    text = (project / BITE).read_text(encoding="utf-8")
    for good, (bad, _) in TEN_WAYS.items():
        assert text.count(f"{good}\n") == 1, good
        text = text.replace(f"{good}\n", f"{bad}\n")
    (project / BITE).write_text(text, encoding="utf-8")
    problems = check(load_library(project))
    # The cure that is no longer named is the eleventh: one line, two rules.
    assert places_in(problems, BITE) == sorted(
        [*(expected for _, expected in TEN_WAYS.values()), "58 B025"], key=lambda place: int(place.split()[0])
    )
    assert len(problems) == 11


def test_problems_come_in_reading_order(project: Path) -> None:
    for path in project.glob("docs/bites/*/*.md"):
        path.write_text(path.read_text(encoding="utf-8").replace("how: ", "how: badly, not: "), encoding="utf-8")
    problems = check(load_library(project))
    assert len(problems) == 3
    assert problems == sorted(problems, key=lambda problem: (problem.path, problem.line, problem.code))


def with_section(project: Path, title: str, body: str) -> list[Problem]:
    """The problems once `body` stands in a section of the bite."""
    path = project / BITE
    before, found, after = path.read_text(encoding="utf-8").partition(f"## {title}\n")
    rest = after[after.index("\n## ") :]
    assert found
    path.write_text(f"{before}{found}\n{body}\n{rest}", encoding="utf-8")
    return check(load_library(project))


@pytest.mark.parametrize(("words", "is_right"), [(109, False), (110, True), (170, True), (171, False)])
def test_an_explainer_has_110_to_170_words(project: Path, words: int, is_right: bool) -> None:
    problems = with_section(project, "Explainer", "word " * words)
    assert ("17 B021" not in places_in(problems, BITE)) is is_right


@pytest.mark.parametrize(("words", "is_right"), [(149, False), (150, True), (450, True), (451, False)])
def test_a_model_answer_has_150_to_450_words(project: Path, words: int, is_right: bool) -> None:
    problems = with_section(project, "Model answer", "word " * words)
    assert any(problem.code == "B022" for problem in problems) is not is_right


FLAG = "- > They say this.\n\n  This is why it is wrong.\n"
FOLLOW_UP = "- **A probe?** Its gist.\n"
POINT = "- (2) says it\n"
QUESTION = "### How many? {{#q-many-{number}}}\n\n- [x] one\n    > since\n- [ ] two\n    > not\n\n"


@pytest.mark.parametrize(
    ("title", "code", "item", "counts"),
    [
        ("Red flags", "B024", FLAG, {0: False, 1: True, 3: True, 4: False}),
        ("Follow-ups", "B026", FOLLOW_UP, {2: False, 3: True, 5: True, 6: False}),
        ("What it tests", "B023", POINT, {2: False, 3: True, 6: True, 7: False}),
    ],
)
def test_lists_are_counted(project: Path, title: str, code: str, item: str, counts: dict[int, bool]) -> None:
    for count, is_right in counts.items():
        problems = with_section(project, title, item * count)
        assert any(problem.code == code for problem in problems) is not is_right, count


@pytest.mark.parametrize(("count", "is_right"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_quiz_has_three_to_five_questions(project: Path, count: int, is_right: bool) -> None:
    path = project / BITE
    before = path.read_text(encoding="utf-8").partition("## Quiz\n")[0]
    quiz = "".join(QUESTION.format(number=number) for number in range(count))
    path.write_text(f"{before}## Quiz\n\n{quiz}", encoding="utf-8")
    problems = check(load_library(project))
    assert any(problem.code == "B030" for problem in problems) is not is_right


def test_one_slug_in_two_sections_is_told(project: Path) -> None:
    text = (project / "docs/bites/hw/warps.md").read_text(encoding="utf-8")
    (project / "docs/bites/mem/warps.md").write_text(text, encoding="utf-8")
    problems = check(load_library(project))
    assert ("docs/bites/mem/warps.md", "B010") in {(problem.path, problem.code) for problem in problems}


def test_an_alias_belongs_to_one_bite(project: Path) -> None:
    path = project / "docs/bites/hw/warps.md"
    path.write_text(path.read_text(encoding="utf-8").replace("aliases: []", "aliases:\n  - threads\n  - sectors"), encoding="utf-8")
    assert [str(problem) for problem in check(load_library(project))] == [
        "docs/bites/mem/coalescing.md:9 B010 alias `sectors` already leads to docs/bites/hw/warps.md\n    hint: delete it"
    ]


def test_a_list_over_several_lines_is_reported_at_its_item(project: Path) -> None:
    path = project / "docs/bites/hw/warps.md"
    path.write_text(path.read_text(encoding="utf-8").replace("prereqs: []", "prereqs:\n  - coalescin"), encoding="utf-8")
    assert places_in(check(load_library(project)), "docs/bites/hw/warps.md") == ["9 B005"]


def test_without_a_map_no_slug_counts_as_unknown(project: Path) -> None:
    (project / "docs/map.yml").unlink()
    assert [str(problem) for problem in check(load_library(project))] == [
        "docs/map.yml:1 P001 does not exist\n    hint: run it in the project's folder, or name that with --root"
    ]
