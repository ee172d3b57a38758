// Sums an array in three steps of refinement: strided tree, compact tree, warp shuffles.
#include <cuda_runtime.h>

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

constexpr int THREADS = 256;

// Step 1. In every round the adding threads lie further apart: half of each warp idles at once.
__global__ void strided_tree(const int* in, int* total, int n) {
  __shared__ int part[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int apart = 1; apart < THREADS; apart *= 2) {
    if (t % (2 * apart) == 0) part[t] += part[t + apart];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, part[0]);
}

// --8<-- [start:tree]
// Step 2. The adding threads stay together, so whole warps stop early.
__global__ void compact_tree(const int* in, int* total, int n) {
  __shared__ int part[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
  }
  if (t == 0) atomicAdd(total, part[0]);
}
// --8<-- [end:tree]

// --8<-- [start:shuffle]
__device__ int warp_sum(int value) {  // lane 0 gets the sum of the warp
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffffu, value, apart);
  return value;
}

// Step 3. Each thread adds many elements first; then registers, one barrier, registers.
__global__ void shuffled(const int* in, int* total, int n) {
  __shared__ int part[THREADS / 32];
  int t = threadIdx.x, mine = 0;
  for (int i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS) mine += in[i];
  mine = warp_sum(mine);
  if (t % 32 == 0) part[t / 32] = mine;
  __syncthreads();
  if (t < 32) {  // a whole warp
    mine = warp_sum(t < THREADS / 32 ? part[t] : 0);
    if (t == 0) atomicAdd(total, mine);
  }
}
// --8<-- [end:shuffle]

#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 10'000 * SCALE;
constexpr int BLOCKS = (N + THREADS - 1) / THREADS;
constexpr int SUMMING_BLOCKS = SCALE == 1 ? 8 : 1024;  // each thread adds many elements

// Returns 1 if the sum is wrong, and clears it.
int is_wrong(int expected, int* device_total) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int total = 0;
  CHECK(cudaMemcpy(&total, device_total, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_total, 0, sizeof(int)));
  return total != expected;
}

int main() {
  std::vector<int> values(N);
  int expected = 0;
  for (int i = 0; i < N; ++i) expected += values[i] = i * 7 % 11 - 3;

  int *in = nullptr, *total = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(total, 0, sizeof(int)));

  int wrong = 0;
  strided_tree<<<BLOCKS, THREADS>>>(in, total, N);
  wrong += is_wrong(expected, total);
  compact_tree<<<BLOCKS, THREADS>>>(in, total, N);
  wrong += is_wrong(expected, total);
  shuffled<<<SUMMING_BLOCKS, THREADS>>>(in, total, N);
  wrong += is_wrong(expected, total);

  CHECK(cudaFree(in));
  CHECK(cudaFree(total));
  std::printf("%s block_sum: %d elements in three ways, sum %d, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, expected, wrong);
  return wrong ? 1 : 0;
}
