// The same work with a branch that splits every warp and with one that splits between warps.
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

// --8<-- [start:kernel]
// Different work. Were only a factor different, the compiler would select the factor.
__device__ unsigned squares(unsigned x) {
#pragma unroll 1  // so that the machine code stays short
  for (int k = 0; k < 64; ++k) x = x * x + 1;
  return x;
}
__device__ unsigned shifts(unsigned x) {
#pragma unroll 1
  for (int k = 0; k < 64; ++k) x = (x ^ x >> 3) + 5;
  return x;
}

// Neighbors disagree: every warp walks through both loops, half empty each time.
__global__ void split_lanes(unsigned* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) x[i] = squares(x[i]);
  else            x[i] = shifts(x[i]);
}

// 32 neighbors agree: every warp walks through one loop, full.
__global__ void split_warps(unsigned* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 32 % 2 == 0) x[i] = squares(x[i]);
  else                 x[i] = shifts(x[i]);
}
// --8<-- [end:kernel]

// gpu: scale=1000
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 4096 * SCALE;
constexpr int THREADS = 256;

int main() {
  std::vector<unsigned> start(N), lanes(N), warps(N);
  for (int i = 0; i < N; ++i) start[i] = static_cast<unsigned>(i);

  unsigned *a = nullptr, *b = nullptr;
  CHECK(cudaMalloc(&a, N * sizeof(unsigned)));
  CHECK(cudaMalloc(&b, N * sizeof(unsigned)));
  CHECK(cudaMemcpy(a, start.data(), N * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, start.data(), N * sizeof(unsigned), cudaMemcpyHostToDevice));
  split_lanes<<<N / THREADS, THREADS>>>(a);
  CHECK(cudaGetLastError());
  split_warps<<<N / THREADS, THREADS>>>(b);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(lanes.data(), a, N * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(warps.data(), b, N * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    unsigned squared = start[i], shifted = start[i];
    for (int k = 0; k < 64; ++k) squared = squared * squared + 1, shifted = (shifted ^ shifted >> 3) + 5;
    wrong += lanes[i] != (i % 2 == 0 ? squared : shifted);
    wrong += warps[i] != (i / 32 % 2 == 0 ? squared : shifted);
  }
  std::printf("%s divergent_branch: %d elements, split by lane and by warp, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
