// Scale, add a bias, clamp: in three kernels and in one. The sums are the same, the traffic is not.
#include <cuda_runtime.h>

#include <algorithm>
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

__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

// --8<-- [start:kernel]
// Three kernels: each reads the array and writes it back, 24 bytes per element.
__global__ void scale(float* x, int n, float factor) {
  int i = element();
  if (i < n) x[i] *= factor;
}
__global__ void add(float* x, int n, float bias) {
  int i = element();
  if (i < n) x[i] += bias;
}
__global__ void clamp(float* x, int n) {
  int i = element();
  if (i < n) x[i] = fmaxf(x[i], 0.0f);
}

// One kernel: what lies between stays in a register, 8 bytes per element.
__global__ void fused(float* x, int n, float factor, float bias) {
  int i = element();
  if (i < n) x[i] = fmaxf(x[i] * factor + bias, 0.0f);
}
// --8<-- [end:kernel]

// gpu: scale=4096 bytes=8*16384*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = (1 << 14) * SCALE;
constexpr int THREADS = 256;
constexpr int BLOCKS = N / THREADS;
constexpr float FACTOR = 2.0f, BIAS = -100.0f;

int main() {
  // Small whole numbers: rounding does not tell the two ways apart.
  std::vector<float> values(N), three(N), one(N);
  for (int i = 0; i < N; ++i) values[i] = static_cast<float>(i % 101);

  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, N * sizeof(float)));
  CHECK(cudaMalloc(&y, N * sizeof(float)));
  CHECK(cudaMemcpy(x, values.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(y, values.data(), N * sizeof(float), cudaMemcpyHostToDevice));

  scale<<<BLOCKS, THREADS>>>(x, N, FACTOR);
  CHECK(cudaGetLastError());
  add<<<BLOCKS, THREADS>>>(x, N, BIAS);
  CHECK(cudaGetLastError());
  clamp<<<BLOCKS, THREADS>>>(x, N);
  CHECK(cudaGetLastError());
  fused<<<BLOCKS, THREADS>>>(y, N, FACTOR, BIAS);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(three.data(), x, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(one.data(), y, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    float expected = std::max(values[i] * FACTOR + BIAS, 0.0f);
    wrong += !(three[i] == expected && one[i] == expected);
  }
  std::printf("%s fused_chain: %d elements, three kernels and one, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
