"""The SIMT machine of the reduction: what always holds, and the CUDA host's trace of the same three kernels."""

from __future__ import annotations

from math import gcd
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpubites.cudahost import check_program
from models import SNIPPETS, simulator

lab = simulator("reduction/reduction_lab.py")
KERNELS = st.sampled_from(list(lab.KERNELS))
BLOCKS = st.sampled_from([2**n for n in range(1, 11)])
SPREAD, PACKED, SEQUENTIAL = lab.KERNELS


@given(KERNELS, BLOCKS)
def test_the_sum_is_right_after_log2_rounds_in_which_additions_halve(kernel: str, block: int) -> None:
    phases, total = lab.run(lab.KERNELS[kernel], block)
    assert total == sum(7 * t % 11 for t in range(block))
    assert len(phases) - 1 == block.bit_length() - 1
    assert [len({t for t, _, _ in asked}) for asked in phases] == [block, *(block >> step for step in range(1, block.bit_length()))]


@given(BLOCKS)
def test_packed_threads_fill_whole_warps_and_spread_ones_keep_every_warp_busy(block: int) -> None:
    for kernel in lab.KERNELS:
        phases, _ = lab.run(lab.KERNELS[kernel], block)
        for step, asked in enumerate(phases[1:], start=1):
            adding, warps = block >> step, len({t // 32 for t, _, _ in asked})
            least = (adding + 31) // 32
            assert warps == (min(adding, max(1, block // 32)) if kernel == SPREAD else least)


@given(BLOCKS)
def test_only_packed_interleaved_threads_meet_in_banks(block: int) -> None:
    for kernel in lab.KERNELS:
        phases, _ = lab.run(lab.KERNELS[kernel], block)
        for step, asked in enumerate(phases[1:], start=1):
            lanes, apart = min(32, block >> step), 2**step
            met = -(-lanes // (32 // gcd(32, apart)))  # lanes over the different banks that this distance reaches
            assert max(map(lab.wavefronts, lab.requests(asked).values())) == (met if kernel == PACKED else 1)


def changed(good: str, bad: str) -> ModuleType:
    """The simulator as a reader may edit it."""
    text = (SNIPPETS / "reduction" / "reduction_lab.py").read_text()
    assert text.count(good) == 1
    module = ModuleType("edited")
    exec(text.replace(good, bad), module.__dict__)
    return module


def test_without_a_barrier_the_sum_is_another_and_the_sentence_says_so() -> None:
    edited = changed(
        "            part[t] += part[t + half]\n        yield\n",
        "            part[t] += part[t + half]\n        if False:\n            yield\n",
    )
    assert "which is right" in lab.simulate(8, SEQUENTIAL, 256)["says"]
    assert "1,275 would be right" in edited.simulate(8, SEQUENTIAL, 256)["says"]


def test_a_barrier_that_not_all_reach_and_a_word_out_of_place_are_told() -> None:
    inside = "            part[t] += part[t + half]\n        yield\n"
    with pytest.raises(RuntimeError, match="128 of 256 threads wait at a barrier"):
        changed(inside, "            part[t] += part[t + half]\n            yield\n").simulate(1, SEQUENTIAL, 256)
    with pytest.raises(IndexError, match=r"thread 0 loads word 256 of 256"):
        changed("part[t] += part[t + half]", "part[t] += part[t + 2 * half]").simulate(1, SEQUENTIAL, 256)


PROGRAM = """\
#include <cstdio>
__global__ void spread(int* sum) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = 7 * t % 11;
  __syncthreads();
  for (int apart = 1; apart < 256; apart *= 2) {
    if (t % (2 * apart) == 0)
      part[t] += part[t + apart];  // interleaved, spread threads
    __syncthreads();
  }
  if (t == 0) *sum = part[0];
}
__global__ void packed(int* sum) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = 7 * t % 11;
  __syncthreads();
  for (int apart = 1; apart < 256; apart *= 2) {
    int at = 2 * apart * t;
    if (at < 256)
      part[at] += part[at + apart];  // interleaved, packed threads
    __syncthreads();
  }
  if (t == 0) *sum = part[0];
}
__global__ void sequential(int* sum) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = 7 * t % 11;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];  // sequential
    __syncthreads();
  }
  if (t == 0) *sum = part[0];
}
int main() {
  int *sums, got[3];
  if (cudaMalloc(&sums, sizeof got)) return 1;
  spread<<<1, 256>>>(sums);
  packed<<<1, 256>>>(sums + 1);
  sequential<<<1, 256>>>(sums + 2);
  if (cudaGetLastError() || cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost)) return 1;
  std::printf("%d %d %d", got[0], got[1], got[2]);
}
"""


def test_the_cuda_host_traces_the_same_requests_and_wavefronts(tmp_path: Path) -> None:
    source = tmp_path / "three_trees.cu"
    source.write_text(PROGRAM)
    report = check_program(source, trace=True)
    if report.verdict == "refused":
        pytest.skip(report.problems[0].message)
    assert (report.verdict, report.output) == ("pass", "1275 1275 1275")
    comments = {n: line.rpartition("// ")[2] for n, line in enumerate(PROGRAM.splitlines(), start=1)}
    traced = {(comments[row.line], row.access): (row.requests, row.wavefronts) for row in report.trace if row.space == "shared"}
    for name, kernel in lab.KERNELS.items():
        found = [request for asked in lab.run(kernel, 256)[0][1:] for request in lab.requests(asked).items()]
        for access in ("load", "store"):
            costs = [lab.wavefronts(words) for (_, _, kind), words in found if kind == access]
            assert traced[name, access] == (len(costs), sum(costs)), (name, access)
    assert traced[PACKED, "load"][1] > traced[SEQUENTIAL, "load"][1], "the interleaved one has conflicts"
