"""An independent reader of cubins, cuxray, agrees with ours on occupancy, and on which shared accesses conflict."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpubites.cuda_example import host_recording_path
from gpubites.occupancy import SMS, residency
from gpubites.run.cuda import Skipped, Toolkit, pinned_toolkit
from gpubites.run.recording import parse_recording

ROOT = Path(__file__).resolve().parents[2]
SHAPES = [(256, 32, 0), (1024, 33, 0), (128, 168, 49152), (96, 40, 12000), (32, 16, 0), (512, 64, 100_000)]


@pytest.fixture(scope="session")
def toolkit() -> Toolkit:
    toolkit = pinned_toolkit(ROOT)
    if isinstance(toolkit, Skipped):
        pytest.skip(toolkit.reason)
    return toolkit


def cuxray(toolkit: Toolkit, *arguments: str | Path) -> dict[str, Any]:
    program = ROOT / ".venv-cuda" / "bin" / "python"
    command = [program, "-m", "cuxray", *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": f"{toolkit.bin}:/usr/bin:/bin", "HOME": str(ROOT / ".cache")})
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.parametrize("arch", list(SMS))
@pytest.mark.parametrize(("threads", "registers", "shared"), SHAPES)
def test_occupancy_is_what_cuxray_computes(arch: str, threads: int, registers: int, shared: int, toolkit: Toolkit) -> None:
    said = cuxray(toolkit, "occupancy", "--arch", arch, "--threads", str(threads), "--regs", str(registers), "--smem", str(shared))
    ours = residency(arch, threads, registers, shared)
    assert (ours.blocks, ours.warps) == (said["blocks_per_sm"], said["active_warps"]), said


def test_bank_conflicts_are_those_that_the_host_traced(tmp_path: Path, toolkit: Toolkit) -> None:
    source = ROOT / "snippets" / "bank-conflicts" / "transpose_tile.cu"
    nvcc = [toolkit.bin / "nvcc", "-std=c++17", "-O3", "-lineinfo", "-arch=sm_90", "-cubin", "-o", tmp_path / "x.cubin", source.name]
    subprocess.run(nvcc, cwd=source.parent, check=True, env={"PATH": "/usr/bin:/bin"})
    report = cuxray(toolkit, "report", tmp_path / "x.cubin", "--threads", "32,32")

    # Passes that cuxray proves from the addresses, by source line: one number per kernel that has the line.
    proven: dict[int, list[int]] = {}
    for kernel in report["units"][0]["kernels"]:
        assert kernel["access"]["unanalyzed_count"] == 0, kernel["access"]
        for site in kernel["access"]["by_site"]:
            if site["space"] == "shared":
                proven.setdefault(site["line"], []).append(site["conflict_ways"])

    # The host has a row for each instance of the template, too.
    header: dict[str, Any] = parse_recording(host_recording_path(source).read_text()).header
    traced: dict[int, list[int]] = {}
    for row in header["trace"]:
        if row["space"] == "shared":
            traced.setdefault(row["line"], []).append(row["wavefronts_per_request"])
    assert {line: sorted(ways) for line, ways in traced.items()} == {line: sorted(ways) for line, ways in proven.items()}
    assert sorted(map(sorted, traced.values())) == [[1, 1], [1, 32]], "stored in rows; loaded in columns, padded and not"
