// Copies an array from an aligned, a shifted and a random place, and checks every element.
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

// --8<-- [start:kernel]
// Lane i reads the word `shift` places on. 0: 4 sectors a warp; 1: 5 sectors.
__global__ void shifted_copy(const float* in, float* out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + shift];
}

// Lane i reads wherever from[i] points: up to 32 sectors a warp.
__global__ void gathered_copy(const float* in, const int* from, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}
// --8<-- [end:kernel]

// gpu: kernel=shifted_copy scale=1024 bytes=8*16384*SCALE
// gpu: kernel=gathered_copy scale=1024 bytes=12*16384*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = (1 << 14) * SCALE;
constexpr int THREADS = 256;
constexpr int BLOCKS = N / THREADS;
constexpr size_t BYTES = N * sizeof(float);

// The same permutation on every machine.
std::vector<int> shuffled() {
  std::vector<int> order(N);
  for (int i = 0; i < N; ++i) order[i] = i;
  unsigned state = 1;
  for (int i = N - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(order[i], order[(state >> 8) % static_cast<unsigned>(i + 1)]);
  }
  return order;
}

// Returns how many copied elements are wrong, and clears the copy.
template <class Source>
int count_wrong(const std::vector<float>& values, float* device_copy, Source source_of) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> copy(N);
  CHECK(cudaMemcpy(copy.data(), device_copy, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_copy, 0xFF, BYTES));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(copy[i] == values[source_of(i)]);
  return wrong;
}

int main() {
  std::vector<float> values(N + 1);  // one more: the shifted copy ends there
  for (int i = 0; i <= N; ++i) values[i] = static_cast<float>(i);
  std::vector<int> order = shuffled();

  float *in = nullptr, *out = nullptr;
  int* from = nullptr;
  CHECK(cudaMalloc(&in, BYTES + sizeof(float)));
  CHECK(cudaMalloc(&out, BYTES));
  CHECK(cudaMalloc(&from, N * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), BYTES + sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(from, order.data(), N * sizeof(int), cudaMemcpyHostToDevice));

  int wrong = 0;
  shifted_copy<<<BLOCKS, THREADS>>>(in, out, N, 0);
  wrong += count_wrong(values, out, [](int i) { return i; });
  shifted_copy<<<BLOCKS, THREADS>>>(in, out, N, 1);
  wrong += count_wrong(values, out, [](int i) { return i + 1; });
  gathered_copy<<<BLOCKS, THREADS>>>(in, from, out, N);
  wrong += count_wrong(values, out, [&](int i) { return order[i]; });

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(from));
  std::printf("%s gather_copy: aligned, shifted, random, %d elements each, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
