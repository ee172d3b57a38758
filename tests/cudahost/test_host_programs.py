"""Programs with one planted bug each, which the host has to name, and correct programs, at which it has to keep quiet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpubites.cudahost import Report, check_program

HERE = Path(__file__).resolve().parent
WRONG, RIGHT = sorted((HERE / "wrong").glob("*.cu")), sorted((HERE / "right").glob("*.cu"))
# `// expect: race shared @fill @read`: a kind, a memory space, and the lines that end in `// @fill` and `// @read`.
_EXPECT = re.compile(r"^// expect: (?P<kind>[\w-]+)(?: (?P<space>[a-z]+))?(?P<marks>(?: @\w+)*)$", re.MULTILINE)
_NOTE = re.compile(r"^// note: (.+)$", re.MULTILINE)


def told(report: Report) -> str:
    return "\n".join(
        f"{problem.kind} {problem.space} {problem.line} {problem.other_line}: {problem.message}" for problem in report.problems
    )


def marked(source: Path, mark: str) -> int:
    (line,) = [n for n, text in enumerate(source.read_text().splitlines(), start=1) if text.endswith(f"// {mark}")]
    return line


@pytest.mark.parametrize("source", WRONG, ids=lambda path: path.stem)
def test_a_planted_bug_is_named_with_its_lines(source: Path) -> None:
    report = check_program(source)
    expected = list(_EXPECT.finditer(source.read_text()))
    assert expected, f"{source.name} does not say what to expect"
    assert report.verdict == "fail", report
    for expect in expected:
        lines = {marked(source, mark) for mark in expect["marks"].split()}
        assert any(
            problem.kind == expect["kind"]
            and problem.space == (expect["space"] or "")
            and (not lines or {problem.line, problem.other_line} - {None} == lines)
            for problem in report.problems
        ), f"{expect[0]}\n{told(report)}"
    kinds = {expect["kind"] for expect in expected}
    assert {problem.kind for problem in report.problems} <= kinds, told(report)
    for note in _NOTE.findall(source.read_text()):
        assert any(note in said for said in report.notes), report.notes


@pytest.mark.parametrize("source", RIGHT, ids=lambda path: path.stem)
def test_a_correct_program_passes(source: Path) -> None:
    report = check_program(source)
    assert report.verdict == "pass", told(report)
    assert "PASS" in report.output
    expected = _NOTE.findall(source.read_text())
    assert len(report.notes) == len(expected), report.notes
    for start, note in zip(expected, report.notes, strict=True):
        assert start in note
