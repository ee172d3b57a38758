// Attention forward without a score matrix: K and V pass by in tiles, the softmax is online.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

constexpr int D = 32;     // head size
constexpr int TILE = 32;  // queries per block, and keys per tile

// --8<-- [start:kernel]
// A thread owns a query: its row of Q, its sums and its maximum stay in registers.
__global__ void flash(const float* q, const float* k, const float* v, float* o, int n, float c) {
  __shared__ float k_tile[TILE][D], v_tile[TILE][D];
  int row = blockIdx.x * TILE + threadIdx.x;
  float query[D], acc[D] = {}, m = -INFINITY, sum = 0;
  for (int d = 0; d < D; ++d) query[d] = row < n ? q[row * D + d] * c : 0;  // c: 1 / sqrt(D)
  for (int first = 0; first < n; first += TILE) {
    int keys = min(TILE, n - first);
    for (int e = threadIdx.x; e < keys * D; e += TILE) {
      k_tile[e / D][e % D] = k[first * D + e];
      v_tile[e / D][e % D] = v[first * D + e];
    }
    __syncthreads();  // the tile is complete
    for (int j = 0; j < keys; ++j) {
      float score = 0;
      for (int d = 0; d < D; ++d) score += query[d] * k_tile[j][d];
      float larger = fmaxf(m, score), keep = expf(m - larger), p = expf(score - larger);
      sum = sum * keep + p;
      for (int d = 0; d < D; ++d) acc[d] = acc[d] * keep + p * v_tile[j][d];
      m = larger;
    }
    __syncthreads();  // nobody reads the tile any more
  }
  for (int d = 0; d < D && row < n; ++d) o[row * D + d] = acc[d] / sum;
}
// --8<-- [end:kernel]

// gpu: scale=20 bytes=16*100*32*SCALE flops=4*100*100*32*SCALE**2
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 100 * SCALE;  // tokens, no multiple of the tile
constexpr double TOLERANCE = 1e-5;

int main() {
  std::vector<float> q(N * D), k(N * D), v(N * D), result(N * D);
  for (int i = 0; i < N * D; ++i) {
    q[i] = static_cast<float>(i * 7 % 23 - 11) / 8;
    k[i] = static_cast<float>(i * 5 % 19 - 9) / 8;
    v[i] = static_cast<float>(i * 3 % 17 - 8) / 8;
  }
  const float scale = 1 / std::sqrt(static_cast<float>(D));

  float *d_q = nullptr, *d_k = nullptr, *d_v = nullptr, *d_o = nullptr;
  const size_t bytes = N * D * sizeof(float);
  CHECK(cudaMalloc(&d_q, bytes));
  CHECK(cudaMalloc(&d_k, bytes));
  CHECK(cudaMalloc(&d_v, bytes));
  CHECK(cudaMalloc(&d_o, bytes));
  CHECK(cudaMemcpy(d_q, q.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_k, k.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_v, v.data(), bytes, cudaMemcpyHostToDevice));
  flash<<<(N + TILE - 1) / TILE, TILE>>>(d_q, d_k, d_v, d_o, N, scale);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), d_o, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_q));
  CHECK(cudaFree(d_k));
  CHECK(cudaFree(d_v));
  CHECK(cudaFree(d_o));

  // The reference keeps a whole row of scores, in double precision.
  int wrong = 0;
  std::vector<double> scores(N);
  for (int row = 0; row < N; ++row) {
    double m = -INFINITY, sum = 0;
    for (int j = 0; j < N; ++j) {
      scores[j] = 0;
      for (int d = 0; d < D; ++d) scores[j] += double(q[row * D + d]) * k[j * D + d] * scale;
      m = std::max(m, scores[j]);
    }
    for (double& score : scores) sum += score = std::exp(score - m);
    for (int d = 0; d < D; ++d) {
      double expected = 0;
      for (int j = 0; j < N; ++j) expected += scores[j] * v[j * D + d] / sum;
      wrong += !(std::fabs(result[row * D + d] - expected) <= TOLERANCE);
    }
  }
  std::printf("%s flash_forward: %d tokens, head size %d, tiles of %d, %d off by more than %g\n",
              wrong ? "FAIL" : "PASS", N, D, TILE, wrong, TOLERANCE);
  return wrong ? 1 : 0;
}
