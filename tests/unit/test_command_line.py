"""`python -m gpubites`, as the Makefile calls it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpubites.__main__ import main
from gpubites.library import Library
from gpubites.rules import RULES
from gpubites.rules.page import rules_page


@pytest.fixture
def project(good: Library, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good.root, tmp_path / "project"))


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "gpubites", *arguments], cwd=folder, capture_output=True, text=True)


def test_a_good_library_is_counted(project: Path) -> None:
    done = run("check", folder=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "3 bites, 5 snippets, 4 facts: no problem\n"


def test_problems_are_listed_in_reading_order_with_hints_and_counted(project: Path) -> None:
    path = project / "docs/bites/mem/coalescing.md"
    path.write_text(path.read_text().replace("[warps]", "[wraps]").replace("- (1) orders", "- (1) simply orders"))
    (project / "docs/bites/hw/warps.md").write_text("nothing\n")
    done = run("check", folder=project)
    assert (done.returncode, done.stderr) == (1, "")
    *lines, blank, count = done.stdout.rstrip("\n").split("\n")
    assert blank == ""
    assert lines[-8:-4] == [
        "docs/bites/mem/coalescing.md:8 B005 prereq `wraps` is no bite",
        "    hint: did you mean `warps`?",
        "docs/bites/mem/coalescing.md:50 W002 `simply` says nothing",
        "    hint: delete it",
    ]
    problems = [line for line in lines if not line.startswith("    hint: ")]
    assert all(re.fullmatch(r"[\w./-]+:\d+ [A-Z]\d{3} .+", line) for line in problems)
    assert count == f"{len(problems)} problems (B001 1x, B005 1x, B020 1x, S005 2x, W002 1x). What a code means: docs/about/rules.md"


def test_one_problem_is_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / "docs/bites/mem/coalescing.md"
    path.write_text(path.read_text().replace("- (1) orders", "- (1) simply orders"))
    assert main(["--root", str(project), "check"]) == 1
    assert capsys.readouterr().out.endswith("\n\n1 problem (W002 1x). What a code means: docs/about/rules.md\n")


def test_outside_of_the_project_check_says_how_to_name_it(tmp_path: Path) -> None:
    missed = run("check", folder=tmp_path)
    assert (missed.returncode, missed.stderr) == (1, "")
    assert missed.stdout.startswith("docs/map.yml:1 P001 does not exist\n    hint: run it in the project's folder")


@pytest.mark.parametrize("arguments", [[], ["inspect"], ["new"]])
def test_a_wrong_command_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m gpubites" in capsys.readouterr().err


def test_the_page_of_rules_is_written_and_checked(project: Path) -> None:
    (project / "docs/about").mkdir()
    rules = ["--root", str(project), "rules"]
    assert (main([*rules, "--check"]), main(rules), main([*rules, "--check"])) == (1, 0, 0)
    page = (project / "docs/about/rules.md").read_text(encoding="utf-8")
    assert re.findall(r"^### (\w+) ", page, re.MULTILINE) == sorted(RULES)
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert all(rule.explanation.split()[0] in page for rule in RULES.values())


def test_the_project_s_own_page_of_rules_is_up_to_date(root: Path) -> None:
    assert (root / "docs/about/rules.md").read_text(encoding="utf-8") == rules_page()


def test_recording_what_is_not_there_says_what_is(project: Path) -> None:
    missed = run("record", "--only", "coalescing2", folder=project)
    assert (missed.returncode, missed.stderr) == (1, "")
    assert missed.stdout == (
        "`coalescing2` is neither a folder of snippets/ nor a notebook of docs/notebooks/\n    hint: did you mean `coalescing`?\n"
    )
    assert "hint: it has nothing to record" in run("record", "--only", "kernel-story", folder=project).stdout
    assert "hint: known: app, coalescing, sectors, warps" in run("record", "--only", "zzzz", folder=project).stdout


def test_a_snippet_that_fails_is_named_once_and_the_others_are_recorded(project: Path) -> None:
    source = project / "snippets/coalescing/count_sectors.py"
    source.write_text("def f():\n    return 1 / 0\n\n\nf()\n", encoding="utf-8")
    recording = source.with_name("count_sectors.recording.txt").read_bytes()
    done = run("record", "--only", "coalescing", folder=project)
    assert (done.returncode, done.stderr) == (1, "")
    first, *rest = done.stdout.split("\n")
    assert first == "failed    snippets/coalescing/count_sectors.py failed with status 1"
    assert '      File "count_sectors.py", line 2, in f' in rest
    assert "fresh     snippets/coalescing/stripes.frag" in rest
    assert done.stdout.count("snippets/coalescing/count_sectors.py") == 1
    assert str(project) not in done.stdout
    assert source.with_name("count_sectors.recording.txt").read_bytes() == recording, "what is wrong is not written"


def test_a_terminal_without_the_letters_gets_them_in_another_form(project: Path) -> None:
    (project / "docs/bites/hw/\N{WOMAN}.md").write_text("nothing\n", encoding="utf-8")
    command = [sys.executable, "-m", "gpubites", "check"]
    done = subprocess.run(command, cwd=project, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True)
    assert done.stderr == ""
    assert "docs/bites/hw/\\U0001f469.md:1 B001" in done.stdout
