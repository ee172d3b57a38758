"""Sectors, wavefronts and lanes against values that follow by hand from 32-byte sectors and 32 banks of 4 bytes."""

from __future__ import annotations

import pytest

from gpubites.cudahost import TraceLine, check_program
from gpubites.cudahost.findings import function_name

# One line per access, so that each has a row of its own. All blocks are one warp, all launches one block.
PROGRAM = """\
#include <vector>
__global__ void walk(const float* x, float* out, double* d, unsigned char* bytes) {
  __shared__ float tile[32][32], padded[32][33];
  int t = threadIdx.x;
  float sum = 0;
  sum += x[t];  // aligned
  sum += x[t + 1];  // offset
  sum += x[2 * t];  // stride-2
  sum += x[8 * t];  // stride-8
  sum += x[33 * t];  // stride-33
  sum += x[5];  // broadcast
  if (t < 4) sum += x[64 + t];  // four-lanes
  if (t % 2) sum += x[96 + t];  // odd-lanes
  float4 v = reinterpret_cast<const float4*>(x)[t];  // vector
  sum += v.x + v.w;
  double e = d[t];  // double
  sum += bytes[t];  // bytes
  for (int row = 0; row < 32; ++row) {
    tile[row][t] = sum;  // row-store
    padded[row][t] = sum;
  }
  __syncthreads();
  sum += tile[t][3];  // column
  sum += padded[t][3];  // padded-column
  sum += tile[0][2 * t % 32];  // two-way
  sum += (&tile[0][0])[2 * t];  // stride-2-shared
  sum += tile[7][9];  // shared-broadcast
  float4 w = reinterpret_cast<float4*>(&tile[0][0])[t];  // shared-vector
  atomicAdd(&out[0], sum + w.x);  // atomic
  for (int i = 0; i < t % 4; ++i) out[32 + 32 * i + t] = float(e);  // loop
}
int main() {
  float *x, *out;
  double* d;
  unsigned char* bytes;
  cudaMalloc(&x, 8192);
  cudaMalloc(&out, 8192);
  cudaMalloc(&d, 256);
  cudaMalloc(&bytes, 32);
  cudaMemset(x, 0, 8192);
  cudaMemset(out, 0, 8192);
  cudaMemset(d, 0, 256);
  cudaMemset(bytes, 0, 32);
  walk<<<1, 32>>>(x, out, d, bytes);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TraceLine]:
    """Comment at the end of a line → the row of its first access."""
    source = tmp_path_factory.mktemp("trace") / "walk.cu"
    source.write_text(PROGRAM)
    report = check_program(source, trace=True)
    assert report.verdict == "pass", report.problems
    names = {number: line.rsplit("// ", 1)[1] for number, line in enumerate(PROGRAM.splitlines(), start=1) if "  // " in line}
    return {names[row.line]: row for row in report.trace if row.line in names}


@pytest.mark.parametrize(
    ("name", "requests", "sectors", "used", "lanes"),
    [
        ("aligned", 1, 4, 128, 32),  # 32 lanes x 4 bytes
        ("offset", 1, 5, 128, 32),  # one float into the next sector
        ("stride-2", 1, 8, 128, 32),  # every other float of 256 bytes
        ("stride-8", 1, 32, 128, 32),  # each lane a sector of its own
        ("stride-33", 1, 32, 128, 32),
        ("broadcast", 1, 1, 4, 32),  # all lanes one float
        ("four-lanes", 1, 1, 16, 4),
        ("odd-lanes", 1, 4, 64, 16),
        ("vector", 1, 16, 512, 32),  # 32 lanes x 16 bytes, and one request
        ("double", 1, 8, 256, 32),
        ("bytes", 1, 1, 32, 32),
        ("atomic", 1, 1, 4, 32),
        ("loop", 3, 12, 192, 48),  # 24, 16 and 8 lanes, spread over four sectors each
    ],
)
def test_global_requests_cost_the_sectors_they_touch(
    rows: dict[str, TraceLine], name: str, requests: int, sectors: int, used: int, lanes: int
) -> None:
    row = rows[name]
    assert (row.space, row.requests, row.sectors, row.bytes_used, row.lanes) == ("global", requests, sectors, used, lanes)
    assert row.bytes_moved == 32 * sectors


@pytest.mark.parametrize(
    ("name", "requests", "wavefronts"),
    [
        ("row-store", 32, 32),  # consecutive words, one pass each
        ("column", 1, 32),  # 32 words of one bank
        ("padded-column", 1, 1),  # 33 apart: 32 banks
        ("two-way", 1, 1),  # 16 words, read by two lanes each: a broadcast, no conflict
        ("stride-2-shared", 1, 2),  # words 0 and 32, 2 and 34, … share banks
        ("shared-broadcast", 1, 1),
        ("shared-vector", 1, 4),  # 512 bytes, 128 a pass
    ],
)
def test_shared_requests_cost_passes_over_the_banks(rows: dict[str, TraceLine], name: str, requests: int, wavefronts: int) -> None:
    row = rows[name]
    assert (row.space, row.requests, row.wavefronts) == ("shared", requests, wavefronts)


def test_the_sample_is_the_access_itself(rows: dict[str, TraceLine]) -> None:
    assert rows["stride-2"].sample == tuple(8 * lane for lane in range(32))
    assert rows["odd-lanes"].sample == tuple(4 * lane if lane % 2 else None for lane in range(32))
    assert rows["column"].sample == tuple(128 * lane + 12 for lane in range(32))


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("void transpose_tile<0>(float const*, float*, int, int)", "transpose_tile<0>"),
        ("flash(float const*, float*)", "flash"),
        ("void deep::copy<float, S<int, 2> >(S<float>*)", "deep::copy<float, S<int, 2> >"),
        ("main", "main"),
    ],
)
def test_an_instance_of_a_template_has_its_own_name(signature: str, name: str) -> None:
    assert function_name(signature) == name
