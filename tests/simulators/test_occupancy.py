"""Occupancy against a second source: NVIDIA's own header, compiled and asked about a grid of cases."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import simulator

occupancy = simulator("occupancy/occupancy_lab.py")
ROOT = Path(__file__).resolve().parents[2]
HEADERS = [*ROOT.glob(".venv-cuda/lib/python*/site-packages/nvidia/cu13/include/cuda_occupancy.h")]
# The properties of a device that the header wants; the numbers are those of the simulator's table.
PROGRAM = r"""
#include "cuda_occupancy.h"
#include <cstdio>
int main() {
  int major, minor, warps, blocks, registers, threads; size_t memory, shared;
  while (scanf("%d %d %d %d %zu %d %d %zu", &major, &minor, &warps, &blocks, &memory, &registers, &threads, &shared) == 8) {
    cudaOccDeviceProp device;
    device.computeMajor = major; device.computeMinor = minor; device.maxThreadsPerBlock = 1024; device.warpSize = 32;
    device.maxThreadsPerMultiprocessor = warps * 32; device.regsPerBlock = device.regsPerMultiprocessor = 65536; device.numSms = 1;
    device.sharedMemPerBlock = 48 << 10; device.sharedMemPerMultiprocessor = memory; device.reservedSharedMemPerBlock = 1024;
    device.sharedMemPerBlockOptin = memory - 1024;
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024; kernel.numRegs = registers; kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN; kernel.maxDynamicSharedSizeBytes = memory - 1024; kernel.numBlockBarriers = 1;
    cudaOccDeviceState state;
    cudaOccResult result;
    int failed = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, shared);
    printf("%d\n", failed ? 0 : result.activeBlocksPerMultiprocessor);
  }
}
"""


@pytest.mark.skipif(not HEADERS or not shutil.which("g++"), reason="needs g++ and the pinned CUDA headers in .venv-cuda (make record)")
def test_blocks_are_those_of_nvidias_header(tmp_path: Path) -> None:
    (tmp_path / "ask.cpp").write_text(PROGRAM)
    subprocess.run(["g++", "-w", "-I", HEADERS[0].parent, "-o", tmp_path / "ask", tmp_path / "ask.cpp"], check=True)
    cases = list(
        product(occupancy.SMS, range(32, 1025, 96), (16, 24, 32, 40, 63, 64, 96, 128, 168, 255), (0, 1, 1024, 16 << 10, 48 << 10, 96 << 10))
    )
    lines = []
    for name, threads, registers, shared in cases:
        (major, minor), (warps, blocks, memory) = name.split()[0].split("."), occupancy.SMS[name]
        lines.append(f"{major} {minor} {warps} {blocks} {memory} {registers} {threads} {shared}")
    said = subprocess.run([tmp_path / "ask"], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split()
    wrong = [(case, int(theirs)) for case, theirs in zip(cases, said, strict=True) if min(occupancy.caps(*case).values()) != int(theirs)]
    assert wrong == []


@given(st.sampled_from(list(occupancy.SMS)), st.integers(1, 1024), st.integers(1, 255), st.integers(0, 96 << 10))
def test_asking_for_more_never_adds_a_block_and_never_more_than_all_warps(name: str, threads: int, registers: int, shared: int) -> None:
    blocks = min(occupancy.caps(name, threads, registers, shared).values())
    assert blocks * -(-threads // 32) <= occupancy.SMS[name][0]
    for other in ((threads + 32, registers, shared), (threads, registers + 8, shared), (threads, registers, shared + 1024)):
        assert min(occupancy.caps(name, *other).values()) <= blocks
