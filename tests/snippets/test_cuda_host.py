"""Every CUDA example runs on the CPU host as its recording says: right ones pass all checks, wrong ones are found out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gpubites.cuda_example import WRONG, host_recording_path
from gpubites.cudahost.build import find_compiler
from gpubites.run.cuda import Skipped
from gpubites.run.cuda_host import comparable, record_host
from gpubites.run.recording import Recording, parse_recording

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "snippets").glob("*/*.cu"))
TODAY = date(2026, 11, 30)


def fresh_run(source: Path) -> Recording:
    fresh = record_host(source, TODAY)
    if isinstance(fresh, Skipped):
        pytest.skip(fresh.reason)
    return fresh


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_host_says_what_the_recording_says(source: Path) -> None:
    fresh, kept = fresh_run(source), host_recording_path(source)
    assert kept.is_file(), f"{source} is not recorded: make record"
    recorded = parse_recording(kept.read_text())
    # Another g++ makes other accesses of the same source: then the figures are not comparable.
    same_compiler = recorded.version("compiler") == find_compiler().version
    hint = f"the program or the host changed: make record only={source.parent.name} again=1"
    assert comparable(fresh, same_compiler) == comparable(recorded, same_compiler), hint


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_right_passes_and_wrong_is_found_out(source: Path) -> None:
    header = fresh_run(source).header
    if source.stem.endswith(WRONG):
        assert header["verdict"] == "fail"
        assert header["problems"]
    else:
        assert header["verdict"] in ("pass", "refused"), header["problems"]


def test_at_least_two_dozen_examples_and_four_wrong_ones_run_on_the_host() -> None:
    verdicts = [(source, parse_recording(host_recording_path(source).read_text()).header["verdict"]) for source in SOURCES]
    assert sum(verdict == "pass" for _, verdict in verdicts) >= 24
    assert sum(source.stem.endswith(WRONG) for source, _ in verdicts) >= 4


def test_a_program_that_becomes_wrong_no_longer_matches(tmp_path: Path) -> None:
    source = ROOT / "snippets" / "reduction" / "block_sum.cu"
    broken = tmp_path / source.name
    broken.write_text(source.read_text().replace("    __syncthreads();  // outside of the `if`: every thread arrives\n", ""))
    fresh = fresh_run(broken)
    recorded = parse_recording(host_recording_path(source).read_text())
    assert comparable(fresh, same_compiler=False) != comparable(recorded, same_compiler=False)
    problems = fresh.header["problems"]
    assert isinstance(problems, list)
    assert "__syncthreads()" in problems[0]["message"], "a learner is told what to put where"
