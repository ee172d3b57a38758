"""The command and its answers: JSON, exit statuses, refusals by name, numbers against numpy, and a cache that does not lie."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpubites.__main__ import main
from gpubites.cudahost import check_program
from gpubites.cudahost.build import Unusable, build, find_compiler, program_key

HERE = Path(__file__).resolve().parent
GOOD, RACE = HERE / "right" / "saxpy_grid_stride.cu", HERE / "wrong" / "syncwarp_missing.cu"


def sample(folder: Path, text: str, name: str = "sample.cu") -> Path:
    path = folder / name
    path.write_text(text)
    return path


# --- the command ---


def test_the_command_prints_json_and_tells_by_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cuda", "run", str(GOOD), "--json", "--trace"]) == 0
    passed = json.loads(capsys.readouterr().out)
    assert set(passed) == {"verdict", "problems", "output", "notes", "trace"}
    assert (passed["verdict"], passed["problems"], passed["output"]) == ("pass", [], "PASS\n")
    assert {"line", "space", "requests", "sectors_per_request", "wavefronts_per_request", "bytes_used", "bytes_moved"} <= set(
        passed["trace"][0]
    )

    assert main(["cuda", "run", str(RACE), "--json"]) == 1
    failed = json.loads(capsys.readouterr().out)
    assert (failed["verdict"], failed["trace"]) == ("fail", [])
    assert set(failed["problems"][0]) == {"kind", "space", "line", "other_line", "message"}


def test_the_command_speaks_in_lines_of_the_readers_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cuda", "run", str(RACE)]) == 1
    said = capsys.readouterr().out
    assert re.search(
        r"^syncwarp_missing\.cu:\d+ missing __syncwarp\(\) in shared memory, byte \d+ of `s` \(128 bytes\): thread \d+ of block 0", said
    )
    assert said.rstrip().endswith("fail: 1 problem")


def test_a_file_that_is_not_there_is_unusable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cuda", "run", str(tmp_path / "nowhere.cu")]) == 2
    assert "cannot be read" in capsys.readouterr().out


# --- refusals ---


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('asm("mov.u32 %0, %laneid;" : "=r"(x));', "asm"),
        ('asm volatile("bar.sync 0;");', "asm"),
        ("texture<float> t;", "texture"),
        ("cudaTextureObject_t t;", "cudaTextureObject_t"),
        ("float v = tex2D<float>(t, 1, 2);", "tex2D"),
        ("long long t = clock64();", "clock64"),
        ("auto grid = cooperative_groups::this_grid();", "this_grid"),
        ("cub::BlockReduce<float, 32> reduce;", "cub"),
        ("cublasHandle_t handle;", "cublasHandle_t"),
        ("#if __CUDA_ARCH__ >= 800", "__CUDA_ARCH__"),
        ("#include <thrust/sort.h>", "thrust/sort.h"),
        ("#include <cuda/barrier>", "cuda/barrier"),
        ("#include <cuda_fp8.h>", "cuda_fp8.h"),
        ("cudaGraphAddKernelNode(&node, graph, 0, 0, &parameters);", "cudaGraphAddKernelNode"),
        ("cudaFuncGetAttributes(&attributes, k);", "cudaFuncGetAttributes"),
        ("__global__ void __cluster_dims__(2, 1, 1) k();", "__cluster_dims__"),
        ("cuLaunchKernel(f);", "cuLaunchKernel"),
        ("float v = __shfl_down(x, 1);", "__shfl_down"),
    ],
)
def test_what_is_not_covered_is_refused_by_name_and_line(tmp_path: Path, line: str, name: str) -> None:
    report = check_program(sample(tmp_path, f"// one\n{line}\nint main() {{}}\n"))
    assert (report.verdict, report.status) == ("refused", 2)
    assert report.problems[0].line == 2
    assert report.problems[0].message.startswith(f"`{name}` is not covered by the host run")


def test_names_in_comments_and_strings_and_of_the_readers_own_are_covered(tmp_path: Path) -> None:
    code = 'struct Clock { int clock; } c;\nint main() { const char* s = "cublas"; return c.clock + (s == nullptr); }\n'
    text = f'// asm("x") texture<float>\n{code}'
    assert check_program(sample(tmp_path, text)).verdict == "pass"


def test_a_program_that_does_not_compile_is_refused_with_the_line(tmp_path: Path) -> None:
    report = check_program(sample(tmp_path, "#include <cstdio>\nint main() {\n  return undeclared;\n}\n"))
    assert report.status == 2
    assert report.problems[0].line == 3 and "'undeclared' was not declared" in report.problems[0].message


def test_what_only_the_run_can_tell_is_refused_too(tmp_path: Path) -> None:
    capture = "cudaStream_t s;\n  cudaGraph_t g;\n  cudaStreamCreate(&s);\n  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);\n"
    report = check_program(sample(tmp_path, f"int main() {{\n  {capture}  int* p;\n  cudaMallocAsync(&p, 4, s);\n}}\n"))
    assert (report.verdict, report.status, [problem.line for problem in report.problems]) == ("refused", 2, [7])
    assert "cudaMallocAsync in a stream that captures, at line 7, is not covered by the host run" in report.problems[0].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__global__ void k(int* x) { x[0] = 1; }\n", "error: there is no `main`: the host runs a whole program"),
        ("int f();\nint main() { return f(); }\n", "error: `f()` is declared and never defined"),
    ],
)
def test_a_program_that_does_not_link_is_told_what_is_missing(tmp_path: Path, text: str, said: str) -> None:
    report = check_program(sample(tmp_path, text))
    assert (report.verdict, [problem.message for problem in report.problems]) == ("refused", [said])


def test_a_kernel_that_launches_a_kernel_is_refused(tmp_path: Path) -> None:
    report = check_program(sample(tmp_path, "__global__ void k() {\n  k<<<1, 1>>>();\n}\nint main() {}\n"))
    assert (report.verdict, report.problems[0].line) == ("refused", 2)


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Windows", "AMD64"), ("Linux", "aarch64")])
def test_another_platform_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    assert main(["cuda", "run", str(GOOD)]) == 2
    assert f"the host run needs Linux on x86-64; this is {system} on {machine}" in capsys.readouterr().out


def test_a_machine_without_a_compiler_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(Unusable, match=r"needs g\+\+, which is not installed .*apt-get install g\+\+"):
        find_compiler()


# --- files that a program includes ---


def test_a_kernel_in_an_included_file_is_rewritten_checked_and_named(tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "rotate.cuh").write_text("""\
#pragma once
#include "width.h"
__global__ void rotate(float* x) {
  __shared__ float s[WIDTH];
  s[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = s[(threadIdx.x + 1) % WIDTH];
}
inline void launch(float* x) { rotate<<<1, WIDTH>>>(x); }
""")
    (tmp_path / "kernels" / "width.h").write_text("constexpr int WIDTH = 64;\n")
    main_file = '#include "kernels/rotate.cuh"\nint main() {\n  float* x;\n  cudaMalloc(&x, WIDTH * 4);\n'
    source = sample(
        tmp_path, main_file + "  cudaMemset(x, 0, WIDTH * 4);\n  launch(x);\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n"
    )
    (problem,) = check_program(source).problems
    assert (problem.kind, {problem.line, problem.other_line}) == ("race", {5, 6})
    assert "at line 5 of rotate.cuh" in problem.message and "allocated" not in problem.message

    (tmp_path / "kernels" / "width.h").write_text("constexpr int WIDTH = 64;\n#define LANE() clock64()\n")
    refused = check_program(source)
    assert (refused.verdict, refused.problems[0].line) == ("refused", 2)
    assert refused.problems[0].message.startswith("in width.h: `clock64`")


# --- numbers ---


def test_results_are_those_of_numpy(tmp_path: Path) -> None:
    program = """\
#include <cstdio>
#include <vector>
__global__ void softmax(const float* x, float* y, int columns) {
  __shared__ float part[64];
  int t = threadIdx.x;
  const float* row = x + blockIdx.x * columns;
  float high = -INFINITY;
  for (int c = t; c < columns; c += blockDim.x) high = fmaxf(high, row[c]);
  part[t] = high;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) part[t] = fmaxf(part[t], part[t + s]);
    __syncthreads();
  }
  high = part[0];
  __syncthreads();
  float sum = 0;
  for (int c = t; c < columns; c += blockDim.x) sum += __expf(row[c] - high);
  part[t] = sum;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  for (int c = t; c < columns; c += blockDim.x) y[blockIdx.x * columns + c] = __expf(row[c] - high) / part[0];
}
int main() {
  const int rows = 7, columns = 100;
  std::vector<float> x(rows * columns), y(rows * columns);
  for (int i = 0; i < rows * columns; ++i) x[i] = 0.25f * ((i * 37) % 41) - 5;
  float *dx, *dy;
  cudaMalloc(&dx, x.size() * 4);
  cudaMalloc(&dy, x.size() * 4);
  cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
  softmax<<<rows, 64>>>(dx, dy, columns);
  cudaMemcpy(y.data(), dy, x.size() * 4, cudaMemcpyDeviceToHost);
  for (float v : y) std::printf("%.9g\\n", v);
  return cudaGetLastError() != cudaSuccess;
}
"""
    report = check_program(sample(tmp_path, program))
    assert report.verdict == "pass", report.problems
    got = np.array(report.output.split(), dtype=np.float64).reshape(7, 100)
    x = 0.25 * ((np.arange(700) * 37) % 41) - 5
    powers = np.exp(x.reshape(7, 100) - x.reshape(7, 100).max(axis=1, keepdims=True))
    assert np.allclose(got, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)


# fp16 against numpy's, every value of the format and what lies between two of them.
HALVES = """\
#include <cuda_fp16.h>
#include <cstdio>
int main() {
  for (unsigned bits = 0; bits < 65536; bits += 7) {
    half h = __ushort_as_half((unsigned short)bits);
    float f = __half2float(h);
    if (f == f) std::printf("%u %.9g %u\\n", bits, f, (unsigned)__half_as_ushort(__float2half(f * 1.0003f)));
  }
}
"""


def test_halves_round_as_numpy_rounds_them(tmp_path: Path) -> None:
    report = check_program(sample(tmp_path, HALVES))
    rows = [line.split() for line in report.output.splitlines()]
    bits = np.array([int(row[0]) for row in rows], dtype=np.uint16)
    values = bits.view(np.float16).astype(np.float32)
    assert len(rows) > 9000
    assert np.array_equal(np.array([np.float32(row[1]) for row in rows]), values)
    with np.errstate(over="ignore"):
        scaled = (values * np.float32(1.0003)).astype(np.float16).view(np.uint16)
    assert np.array_equal(np.array([int(row[2]) for row in rows], dtype=np.uint16), scaled)


# --- compilers ---

CLANG = [
    *(
        HERE / "wrong" / f"{name}.cu"
        for name in ("barrier_missing_in_reduction_loop", "guard_missing", "shared_index_too_large", "flag_without_fence")
    ),
    GOOD,
    HERE / "right" / "compare_and_swap_loop.cu",
    HERE / "right" / "grid_barrier_by_hand.cu",
]


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")
@pytest.mark.parametrize("source", CLANG, ids=lambda path: path.stem)
def test_clang_finds_what_gcc_finds(source: Path) -> None:
    ours, theirs = check_program(source), check_program(source, compiler=find_compiler("clang++"))
    assert theirs.verdict == ours.verdict, theirs.problems
    assert {(p.kind, p.space, frozenset((p.line, p.other_line))) for p in theirs.problems} == {
        (p.kind, p.space, frozenset((p.line, p.other_line))) for p in ours.problems
    }


# --- the cache ---


def test_the_cache_is_asked_for_exactly_this_program(tmp_path: Path) -> None:
    compiler = find_compiler()
    (tmp_path / "part.h").write_text("int part = 1;\n")
    source = sample(tmp_path, '#include "part.h"\nint main() { return part; }\n')
    keys = [program_key(source, compiler, "host")]
    keys.append(program_key(source, compiler, "a newer host"))
    keys.append(program_key(source, replace(compiler, version="13.1"), "host"))
    keys.append(program_key(source, replace(compiler, family="clang++"), "host"))
    keys.append(program_key(sample(tmp_path, source.read_text(), "other.cu"), compiler, "host"))
    (tmp_path / "part.h").write_text("int part = 0;\n")
    keys.append(program_key(source, compiler, "host"))
    source.write_text(source.read_text() + "// more\n")
    keys.append(program_key(source, compiler, "host"))
    assert len(set(keys)) == len(keys)
    assert program_key(source, compiler, "host") == keys[-1]


def test_a_changed_program_gets_a_new_verdict(tmp_path: Path) -> None:
    source = sample(tmp_path, RACE.read_text().replace("../small.h", "small.h"))
    shutil.copy(HERE / "small.h", tmp_path)
    assert check_program(source).verdict == "fail"
    source.write_text(source.read_text().replace("  out[", "  __syncwarp();\n  out["))
    assert check_program(source).verdict == "pass"


def test_a_second_build_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = find_compiler()
    first = build(GOOD, compiler, tmp_path)
    monkeypatch.setattr("gpubites.cudahost.build._run", lambda command: pytest.fail(f"compiled again: {command}"))
    assert build(GOOD, compiler, tmp_path) == first
