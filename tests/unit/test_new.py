"""A new bite: each section says what belongs there, and `check` asks for nothing but that."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpubites.__main__ import main
from gpubites.bite import parse_bite
from gpubites.library import Library, load_library
from gpubites.new import CannotCreate, map_entry, new_bite
from gpubites.render.page import render_bite
from gpubites.rules import check
from gpubites.rules.sections import titles_of
from gpubites.source import read_source

TODAY = date(2026, 11, 30)
# What is left to do in a new bite: TODOs, lengths that nothing has been written to reach, and sources to name.
TO_DO = {"B008", "B009", "B012", "B021", "B022", "B027"}


@pytest.fixture
def project(good: Library, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good.root, tmp_path / "project"))


def entered(library: Library, slug: str, kind: str) -> Library:
    """The library with a planned bite of that kind."""
    planned = replace(library.planned["data-layout"], slug=slug, kind=kind)
    return replace(library, planned={**library.planned, slug: planned})


@pytest.mark.parametrize("kind", ["question", "explainer", "story"])
def test_a_template_has_every_section_of_its_kind(good: Library, kind: str) -> None:
    path, text = new_bite("mem/something-new", entered(good, "something-new", kind), TODAY)
    bite = parse_bite(read_source(path, text))
    assert path == "docs/bites/mem/something-new.md"
    assert [section.title for section in bite.source.sections] == titles_of(kind)
    assert all("TODO" in section.body for section in bite.source.sections)
    assert (bite.kind, bite.checked_on, len(bite.quiz)) == (kind, "2026-11-30", 3)
    assert [question.id for question in bite.quiz] == [f"q-something-new-{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize("where", ["mem/data-layout", "story/another-story", "hw/not-planned"])
def test_a_new_bite_leaves_only_writing_to_do(project: Path, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(project), "new", where]) == 0
    library = load_library(project)
    problems = check(library)
    path = f"docs/bites/{where}.md"
    assert {problem.path for problem in problems} == {path}
    assert {problem.code for problem in problems} <= TO_DO
    assert sum(problem.code == "B027" for problem in problems) == 1 + len(library.by_path[path].source.sections)
    assert all(problem.line > 1 for problem in problems)
    addresses = [problem.message for problem in problems if problem.code == "B009"]
    assert addresses == 2 * ["`https://` is no https address"], "each is said once, and that both are alike says nothing"
    bite = library.by_path[path]
    assert render_bite(bite, library).markdown
    assert f"{path} is there" in capsys.readouterr().out


def test_a_planned_bite_takes_over_what_the_map_says(good: Library) -> None:
    _, text = new_bite("mem/data-layout", good, TODAY)
    bite = parse_bite(read_source("docs/bites/mem/data-layout.md", text))
    assert (bite.title, bite.level, bite.roles, bite.prereqs) == ("Data layout", "intermediate", ("kernel",), ("coalescing",))


def test_a_title_with_a_colon_or_quotes_survives(good: Library) -> None:
    title = 'A "title": with, [everything] # in it'
    planned = {**good.planned, "data-layout": replace(good.planned["data-layout"], title=title)}
    _, text = new_bite("mem/data-layout", replace(good, planned=planned), TODAY)
    assert parse_bite(read_source("docs/bites/mem/data-layout.md", text)).title == title


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("data-layout", "`data-layout` is not <section>/<slug>; the sections are hw, mem, story."),
        ("mem/", "is not <section>/<slug>"),
        ("", "  mem    Memory: data-layout\n  story  Interview stories: all written"),
        ("men/data-layout", "did you mean `mem`?"),
        ("mem/coalescing", "docs/bites/mem/coalescing.md exists already"),
        ("hw/coalescing", "docs/bites/mem/coalescing.md exists already"),
        ("hw/data-layout", "make new bite=mem/data-layout"),
        ("mem/Data_Layout", "is no slug"),
        ("mem/../../escape", "is no slug"),
        ("mem/a/b", "is no slug"),
        ("mem/sectors", "is an old slug of docs/bites/mem/coalescing.md"),
    ],
)
def test_what_cannot_be_created_is_refused_with_a_hint(project: Path, where: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(path for path in project.rglob("*") if path.is_file())
    with pytest.raises(CannotCreate) as refusal:
        new_bite(where, load_library(project), TODAY)
    assert reason in str(refusal.value)
    assert main(["--root", str(project), "new", where]) == 1
    assert reason in capsys.readouterr().out
    assert sorted(path for path in project.rglob("*") if path.is_file()) == before


def test_a_slug_that_was_not_planned_is_entered_in_the_map(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    the_map = project / "docs/map.yml"
    the_map.write_text(the_map.read_text().rstrip("\n"))
    before = load_library(project).planned
    assert main(["--root", str(project), "new", "hw/not-planned"]) == 0
    assert "entered `not-planned` at the end of docs/map.yml" in capsys.readouterr().out
    library = load_library(project)
    assert [*library.planned] == [*before, "not-planned"]
    assert library.planned["not-planned"].title == "Not planned"
    assert library.errors == ()
    assert "TODO" not in map_entry("x", "hw")


def test_a_planned_slug_leaves_the_map_alone(project: Path) -> None:
    before = (project / "docs/map.yml").read_bytes()
    assert main(["--root", str(project), "new", "mem/data-layout"]) == 0
    assert (project / "docs/map.yml").read_bytes() == before
