"""The workflows: read as GitHub reads them, and held to what they promise."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpubites.yaml_text import read_yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
# Whoever may write more than nothing, and why.
MAY_WRITE = {("pages.yml", "deploy"): {"pages": "write", "id-token": "write"}}


def read(path: Path) -> dict[str, Any]:
    workflow = read_yaml(path.read_text(encoding="utf-8"))
    assert isinstance(workflow, dict)
    return workflow


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_are_four() -> None:
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "full.yml", "pages.yml", "record.yml"]


def test_every_simulator_is_tried_in_full_on_a_schedule() -> None:
    full = read(ROOT / ".github/workflows/full.yml")
    assert full["on"]["schedule"]
    assert [step["run"] for step in steps(full) if "run" in step] == ["make test-full"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_it_may_do_no_more_than_it_needs(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {}) == MAY_WRITE.get((path.name, name), {})
        assert "timeout-minutes" in job or name == "deploy"
    for step in steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
    assert "pull_request_target" not in workflow["on"]
    assert "secrets." not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_by_its_commit_beside_its_tag(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert len(used) == sum("uses" in step for step in steps(read(path)))
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_it_runs_is_there_and_holds_nothing_typed_elsewhere(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for step in steps(read(path)):
        command = step.get("run", "")
        assert "${{" not in command, "an expression in a command is pasted into the shell"
        assert set(re.findall(r"\bmake ([a-z-]+)", command)) <= targets
        assert all((ROOT / name).is_file() for name in re.findall(r"\bbash (\S+)", command))


def test_only_what_was_tested_on_main_is_deployed() -> None:
    pages, ci = read(ROOT / ".github/workflows/pages.yml"), read(ROOT / ".github/workflows/ci.yml")
    assert pages["on"]["workflow_run"] == {"workflows": [ci["name"]], "types": ["completed"], "branches": ["main"]}
    condition = pages["jobs"]["build"]["if"]
    assert "workflow_run.conclusion == 'success'" in condition
    assert "workflow_run.event == 'push'" in condition
    assert pages["jobs"]["deploy"]["needs"] == "build"


@pytest.mark.parametrize(("target", "name"), [("record", "only"), ("new", "bite")])
def test_a_name_is_text_to_make_and_to_the_shell(tmp_path: Path, target: str, name: str) -> None:
    (traps := tmp_path / "traps").mkdir()
    typed = f'x"; touch {traps}/shell; echo "$(touch {traps}/substituted)$(shell touch {traps}/make)'
    done = subprocess.run(["make", target], cwd=ROOT, env={**os.environ, name: typed}, capture_output=True, text=True)
    assert done.returncode != 0
    assert "touch" in done.stdout, "it is told as the name that nobody knows"
    assert list(traps.iterdir()) == []
