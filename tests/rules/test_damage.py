"""Whatever stands in a file, `check` answers with problems: it never raises, and a problem is one line."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import yaml

from gpubites.bite import parse_bite
from gpubites.library import Library, load_library
from gpubites.problem import Problem
from gpubites.render.page import render_bite
from gpubites.render.view import bite_view
from gpubites.rules import check
from gpubites.source import read_source

BITE = "docs/bites/mem/coalescing.md"
STORY = "docs/bites/story/kernel-story.md"
MAP = "docs/map.yml"
FACTS = "facts/memory.yml"
TERMS = "docs/terms.yml"
RECORDING = "snippets/coalescing/count_sectors.recording.txt"
CUDA_RECORDING = "snippets/coalescing/strided_copy.recording.txt"
SNIPPET = "snippets/coalescing/count_sectors.py"
FIGURE = "docs/assets/figures/coalescing.svg"
NOTEBOOK = "docs/notebooks/sectors.ipynb"
TEXTS = (BITE, STORY, MAP, FACTS, TERMS, RECORDING, CUDA_RECORDING, SNIPPET, FIGURE, NOTEBOOK)

ODD_VALUES: tuple[object, ...] = (
    *(12, -0.5, float("nan"), True, None, "", "text", date(2026, 1, 1)),
    *([], [1, None], [["deep"]], {}, {"a": [{}]}, {1: 2}),
)


def problems_of(project: Path) -> list[Problem]:
    """Read and check from the disk."""
    return checked(load_library(project))


def checked(library: Library) -> list[Problem]:
    problems = check(library)
    for problem in problems:
        assert problem.line >= 1
        assert re.fullmatch(r"[^\n]+:\d+ [A-Z]\d{3} [^\n]+(\n    hint: [^\n]+)?", str(problem))
    return problems


def with_bite(library: Library, path: str, text: str) -> Library:
    """The library with another text in the place of one bite, which also has to render: a writer watches half a file."""
    bite = parse_bite(read_source(path, text))
    changed = replace(library, bites=tuple(bite if other.path == path else other for other in library.bites))
    render_bite(bite, changed)
    bite_view(bite, changed)
    return changed


@pytest.fixture(scope="module")
def good() -> Library:
    return load_library(Path(__file__).parent / "good")


def nested(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The way to every value inside a value, containers included."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from nested(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from nested(item, (*path, index))


def replaced(value: object, path: tuple[object, ...], new: object) -> object:
    if not path:
        return new
    if isinstance(value, dict):
        return {key: replaced(item, path[1:], new) if key == path[0] else item for key, item in value.items()}
    assert isinstance(value, list)
    return [replaced(item, path[1:], new) if index == path[0] else item for index, item in enumerate(value)]


def odd_values(way: tuple[object, ...]) -> list[object]:
    """One of each type for a whole file or a key of its own, one at random for what lies deeper."""
    return [12, None, [None], {"a": [{}]}, date(2026, 1, 1)] if len(way) < 2 else [random.Random(str(way)).choice(ODD_VALUES)]


def dumped(value: object) -> str:
    text: str = yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False)
    return text


@pytest.mark.parametrize("path", [BITE, STORY])
def test_front_matter_of_any_type_is_answered_with_problems(good: Library, path: str) -> None:
    _, front, body = good.by_path[path].source.text.split("---\n", 2)
    values = yaml.safe_load(front)
    for way in nested(values):
        for odd in odd_values(way):
            checked(with_bite(good, path, f"---\n{dumped(replaced(values, way, odd))}---\n{body}"))


@pytest.mark.parametrize("name", [MAP, FACTS, TERMS])
def test_yaml_files_of_any_type_are_answered_with_problems(project: Path, name: str) -> None:
    values = yaml.safe_load((project / name).read_text(encoding="utf-8"))
    for way in nested(values):
        for odd in odd_values(way):
            (project / name).write_text(dumped(replaced(values, way, odd)), encoding="utf-8")
            problems_of(project)


@pytest.mark.parametrize("name", [RECORDING, CUDA_RECORDING])
def test_a_recording_of_any_type_is_answered_with_problems(project: Path, name: str) -> None:
    _, front, body = (project / name).read_text(encoding="utf-8").split("---\n", 2)
    values = yaml.safe_load(front)
    for way in nested(values):
        for odd in random.Random(str(way)).sample(ODD_VALUES, 3):
            (project / name).write_text(f"---\n{dumped(replaced(values, way, odd))}---\n{body}", encoding="utf-8")
            problems_of(project)


@pytest.mark.parametrize("path", [BITE, STORY])
def test_a_bite_that_ends_at_any_line_is_answered_with_problems(good: Library, path: str) -> None:
    lines = good.by_path[path].source.text.split("\n")
    # With three questions it could be whole.
    for length in range(good.by_path[path].quiz[2].line + 1):
        assert checked(with_bite(good, path, "\n".join(lines[:length]))), f"ends after line {length}"


@pytest.mark.parametrize("name", [MAP, FACTS, RECORDING, CUDA_RECORDING, SNIPPET, FIGURE, NOTEBOOK])
def test_a_file_that_ends_at_any_line_is_answered_with_problems(project: Path, name: str) -> None:
    lines = (project / name).read_text(encoding="utf-8").split("\n")
    # What a program printed may end anywhere; facts and plans after any whole entry that nobody needs.
    needed = {RECORDING: 9, CUDA_RECORDING: 28, MAP: 34, FACTS: 23}.get(name, len(lines) - 2)
    for length in range(len(lines) - 1):
        (project / name).write_text("\n".join(lines[:length]), encoding="utf-8")
        assert problems_of(project) or length > needed, f"ends after line {length}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_lost_lines_is_answered_with_problems(project: Path, name: str) -> None:
    lines = (project / name).read_text(encoding="utf-8").split("\n")
    chance = random.Random(7)
    for _ in range(10):
        kept = [line for line in lines if chance.random() > 0.15]
        (project / name).write_text("\n".join(kept), encoding="utf-8")
        problems_of(project)


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_with_odd_characters_is_answered_with_problems(project: Path, name: str) -> None:
    text = (project / name).read_text(encoding="utf-8")
    chance = random.Random(11)
    odd = "`*[](){}<>#|:-\t\x00\x07\u2028\ue000⦃⦄1é\"'\\&%@!"
    for _ in range(10):
        changed = list(text)
        for _ in range(12):
            changed[chance.randrange(len(changed))] = chance.choice(odd)
        (project / name).write_text("".join(changed), encoding="utf-8", newline="")
        problems_of(project)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("content", [b"", b"\n", b"---\n---\n", b"\xff\xfe\x00", b"\x00" * 40, b"[" * 3000, b"- " * 500, b"a: &a [*a]"])
def test_a_file_of_rubbish_is_answered_with_problems(project: Path, name: str, content: bytes) -> None:
    (project / name).write_bytes(content)
    problems = problems_of(project)
    if content or name != FACTS:
        assert problems


@pytest.mark.parametrize("name", [BITE, MAP, FACTS, SNIPPET, FIGURE])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data.replace(b"\n", b"\r\n"), "the line ends in CR, not LF"),
        (lambda data: b"\xef\xbb\xbf" + data, "begins with a byte order mark"),
    ],
)
def test_other_line_ends_and_marks_are_told_once_and_read_all_the_same(
    project: Path, name: str, damage: Callable[[bytes], bytes], message: str
) -> None:
    (project / name).write_bytes(damage((project / name).read_bytes()))
    problems = [problem for problem in problems_of(project) if problem.code != "S004"]
    assert [(problem.path, problem.line, problem.code, problem.message) for problem in problems] == [(name, 1, "F001", message)]


def test_a_byte_that_is_not_utf_8_is_told_with_its_line(project: Path) -> None:
    data = (project / BITE).read_bytes().replace(b"- (1) orders the cures", b"- (1) orders the cur\xe8s")
    (project / BITE).write_bytes(data)
    assert [str(problem).split("\n") for problem in problems_of(project)] == [
        [
            f"{BITE}:50 F001 byte 0xe8 is not UTF-8; in Latin-1 it is `è`",
            "    hint: save it as UTF-8 without a byte order mark, with LF line ends",
        ]
    ]


def test_a_link_to_a_file_elsewhere_is_not_followed(project: Path, tmp_path: Path) -> None:
    """A pull request must not publish what lies on the machine that builds it."""
    secret = tmp_path / "secret"
    secret.write_text("hunter2\n")
    for name in (BITE, SNIPPET, FIGURE, FACTS):
        (project / name).unlink()
        (project / name).symlink_to(secret)
    library = load_library(project)
    told = {problem.path for problem in checked(library) if problem.message == "is a symbolic link"}
    assert told == {BITE, SNIPPET, FIGURE, FACTS}
    assert "hunter2" not in repr(library)


def test_odd_names_are_answered_with_problems(project: Path) -> None:
    text = (project / "docs/bites/hw/warps.md").read_text(encoding="utf-8")
    names = ["Warps.md", "a b'\"$(x).md", "\N{WOMAN}.md", "\u202egnp.md", "-rf.md", "warps.MD", "two\nlines.md", "\udcff.md"]
    for name in names:
        (project / "docs/bites/hw" / name).write_text(text, encoding="utf-8")
    (project / "docs/bites/hw/folder.md").mkdir()
    (project / "docs/bites/hw/nowhere.md").symlink_to("/nonexistent")
    os.mkfifo(project / "docs/bites/hw/pipe.md")
    told = {problem.path for problem in problems_of(project)}
    assert {f"docs/bites/hw/{name}" for name in names} <= told


def test_a_binary_file_is_told_in_a_few_lines(project: Path) -> None:
    (project / BITE).write_bytes(random.Random(3).randbytes(200_000))
    assert len([problem for problem in problems_of(project) if problem.path == BITE]) <= 8


def test_a_tab_in_front_matter_is_told_with_its_line(project: Path) -> None:
    text = (project / BITE).read_text(encoding="utf-8").replace("  - {title: A write-up", "\t- {title: A write-up")
    (project / BITE).write_text(text, encoding="utf-8")
    (problem,) = [problem for problem in problems_of(project) if problem.path == BITE]
    assert (problem.line, problem.code) == (13, "B001")
    assert "tab" in problem.message


@pytest.mark.parametrize("name", [MAP, FACTS, RECORDING])
def test_a_folder_in_place_of_a_file_is_no_crash(project: Path, name: str) -> None:
    (project / name).unlink()
    (project / name).mkdir()
    assert problems_of(project)


def test_an_empty_project_says_what_is_missing(tmp_path: Path) -> None:
    assert [str(problem).split("\n")[0] for problem in check(load_library(tmp_path))] == ["docs/map.yml:1 P001 does not exist"]


def test_a_link_too_long_for_the_disk_leads_nowhere(project: Path) -> None:
    text = (project / BITE).read_text(encoding="utf-8").replace("data-layout.md#footgun", "data:image/png;base64," + "A" * 5000)
    (project / BITE).write_text(text, encoding="utf-8")
    assert {problem.code for problem in problems_of(project)} == {"L001"}


def test_a_lone_tick_hides_nothing_after_its_paragraph(project: Path) -> None:
    text = (project / BITE).read_text(encoding="utf-8")
    text = text.replace("**Cause**: an array", "**Cause**: `an array").replace("- (1) orders", "- (1) simply orders")
    text = re.sub(r"\*\*Cure\*\*: one", "**Cure**: obviously one `x` and", text)
    (project / BITE).write_text(text, encoding="utf-8")
    assert [(problem.line, problem.code) for problem in problems_of(project)] == [(50, "W002"), (66, "W002")]


def test_a_value_over_several_lines_is_still_one_problem_in_one_line(project: Path) -> None:
    text = (project / BITE).read_text(encoding="utf-8").replace("prereqs: [warps]", 'prereqs: ["two\\nlines"]')
    (project / BITE).write_text(text, encoding="utf-8")
    assert [str(problem).split("\n")[0] for problem in problems_of(project)] == [f"{BITE}:8 B005 prereq `two lines` is no bite"]
