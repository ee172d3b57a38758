"""The pinned nvcc makes of every CUDA source what its recording says, and the cache never answers for another question."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpubites.cuda_example import WRONG, sass_recording_path
from gpubites.run.cuda import (
    ARCHITECTURES,
    FLAGS,
    CompileError,
    KernelFacts,
    Skipped,
    Toolkit,
    cache_key,
    compile_facts,
    pinned_toolkit,
    record_cuda,
    record_sass,
)
from gpubites.run.recording import parse_recording, recording_path
from gpubites.run.sass import parse_sass

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "snippets").glob("*/*.cu"))
TODAY = date(2026, 11, 30)

COPY = """\
__global__ void copy(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
"""


@pytest.fixture(scope="session")
def toolkit() -> Toolkit:
    """With the project's cache, so that only a change is compiled again."""
    toolkit = pinned_toolkit(ROOT)
    if isinstance(toolkit, Skipped):
        pytest.skip(toolkit.reason)
    return toolkit


@pytest.fixture
def uncached(toolkit: Toolkit, tmp_path: Path) -> Toolkit:
    return replace(toolkit, cache=tmp_path / "cache")


def sample(folder: Path, text: str, name: str = "copy.cu") -> Path:
    """A whole program, as every example is: with a `main` where the text has none."""
    path = folder / name
    path.write_text(text if "main()" in text else f"{text}int main() {{}}\n")
    return path


def facts_of(path: Path, toolkit: Toolkit) -> dict[str, KernelFacts]:
    """By architecture, of a source with one kernel."""
    return {fact.arch: fact for fact in compile_facts(record_cuda(path, TODAY, toolkit))}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_compiler_says_what_the_recording_says(source: Path, toolkit: Toolkit) -> None:
    kept = recording_path(source)
    assert kept.is_file(), f"{source} is not recorded: make record"
    recorded, fresh = parse_recording(kept.read_text()), record_cuda(source, TODAY, toolkit)
    assert fresh.body == recorded.body
    assert fresh.header["cubins"] == recorded.header["cubins"]
    assert fresh.header["versions"] == recorded.header["versions"]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_machine_code_is_the_recorded_one(source: Path, toolkit: Toolkit) -> None:
    if source.stem.endswith(WRONG):
        return  # its machine code is not shown
    recorded, fresh = parse_recording(sass_recording_path(source).read_text()), record_sass(source, TODAY, toolkit)
    assert (fresh.body, fresh.sources) == (recorded.body, recorded.sources)


def test_a_load_stands_beside_its_source_line(tmp_path: Path, toolkit: Toolkit) -> None:
    instructions = list(parse_sass(record_sass(sample(tmp_path, COPY), TODAY, toolkit).body))
    by_line = {(i.line, i.opcode.split(".")[0]) for i in instructions if i.telling}
    assert by_line == {(3, "LDG"), (3, "STG")}
    assert sum(1 for i in instructions) == facts_of(sample(tmp_path, COPY), toolkit)["sm_90"].instructions, "-lineinfo adds none"


def test_a_wide_load_shows_on_every_architecture(tmp_path: Path, toolkit: Toolkit) -> None:
    narrow = facts_of(sample(tmp_path, COPY), toolkit)
    wide = facts_of(sample(tmp_path, COPY.replace("float*", "float4*")), toolkit)
    assert tuple(narrow) == ARCHITECTURES
    for arch in ARCHITECTURES:
        assert (narrow[arch].ldg, narrow[arch].ldg128) == (1, 0)
        assert (wide[arch].ldg, wide[arch].ldg128) == (1, 1)


def test_an_altered_source_no_longer_matches_its_recording(tmp_path: Path, toolkit: Toolkit) -> None:
    recorded = record_cuda(sample(tmp_path, COPY), TODAY, toolkit)
    altered = record_cuda(sample(tmp_path, COPY.replace("in[i];", "in[i] * in[i + 1];")), TODAY, toolkit)
    assert altered.body != recorded.body
    assert altered.header["cubins"] != recorded.header["cubins"]
    assert altered.sources != recorded.sources


def test_tensor_cores_shuffles_and_barriers_are_seen(tmp_path: Path, toolkit: Toolkit) -> None:
    kernel = """\
#include <mma.h>
using namespace nvcuda;
__global__ void tile(const half* a, const half* b, float* c) {
  __shared__ float staged[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(staged, sum, 16, wmma::mem_row_major);
  __syncthreads();
  atomicAdd(c, __shfl_xor_sync(0xffffffff, staged[255 - threadIdx.x], 1));
}
"""
    for fact in facts_of(sample(tmp_path, kernel), toolkit).values():
        assert (fact.shared, fact.barriers, fact.bar, fact.shfl, fact.atomic) == (1024, 1, 1, 1, 1)
        assert fact.mma == 2, "16 x 16 x 16 is two instructions of 16 x 8 x 16"
        assert fact.lds >= 1 and fact.sts >= 1


def test_a_broken_source_says_where(tmp_path: Path, toolkit: Toolkit) -> None:
    with pytest.raises(CompileError, match=r'copy\.cu\(3\): error: identifier "into" is undefined'):
        record_cuda(sample(tmp_path, COPY.replace("out[i]", "into[i]")), TODAY, toolkit)


def test_a_cubin_that_would_differ_in_another_folder_is_refused(tmp_path: Path, toolkit: Toolkit) -> None:
    with pytest.raises(CompileError, match="external linkage"):
        record_cuda(sample(tmp_path, f"namespace {{\n{COPY}}}\nvoid use() {{ copy<<<1, 1>>>(0, 0); }}\n"), TODAY, toolkit)


def test_another_folder_gets_the_same_bytes(tmp_path: Path, uncached: Toolkit) -> None:
    (tmp_path / "elsewhere").mkdir()
    here = record_cuda(sample(tmp_path, COPY), TODAY, uncached)
    there = record_cuda(sample(tmp_path / "elsewhere", COPY), TODAY, replace(uncached, cache=tmp_path / "empty"))
    assert there == here


def test_a_second_run_compiles_nothing(tmp_path: Path, uncached: Toolkit) -> None:
    source = sample(tmp_path, COPY)
    first = record_cuda(source, TODAY, uncached)
    without_compiler = replace(uncached, bin=tmp_path / "nowhere")
    assert record_cuda(source, TODAY, without_compiler) == first

    sample(tmp_path, COPY.replace("in[i]", "in[i + 1]"))
    with pytest.raises(FileNotFoundError):
        record_cuda(source, TODAY, without_compiler)


def test_the_cache_is_asked_for_exactly_this_compilation(tmp_path: Path) -> None:
    source = sample(tmp_path, COPY)
    keys = [
        cache_key(source, "lock"),
        cache_key(source, "newer lock"),
        cache_key(source, "lock", (*FLAGS, "-use_fast_math")),
        cache_key(source, "lock", code="the reader changed"),
        cache_key(sample(tmp_path, COPY, "other_name.cu"), "lock"),
        cache_key(sample(tmp_path, COPY + "// a comment\n"), "lock"),
    ]
    assert len(set(keys)) == len(keys)
    assert cache_key(sample(tmp_path, COPY), "lock") == keys[0]


def test_a_machine_without_nvcc_says_why_it_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert pinned_toolkit(ROOT) == Skipped("CUDA compile facts need Linux on x86_64, this is darwin on arm64")
