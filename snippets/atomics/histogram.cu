// Counts bytes into 256 bins: straight into global memory, and first within each block.
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

constexpr int BINS = 256;
constexpr int THREADS = 256;

// Every element is an atomic on global memory; all blocks meet at the same 256 words.
__global__ void global_bins(const unsigned char* in, int n, int* bins) {
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    atomicAdd(&bins[in[i]], 1);
}

// --8<-- [start:kernel]
// Privatized: a block counts in shared memory, then adds each of its bins once.
__global__ void private_bins(const unsigned char* in, int n, int* bins) {
  __shared__ int mine[BINS];
  for (int b = threadIdx.x; b < BINS; b += THREADS) mine[b] = 0;
  __syncthreads();

  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    atomicAdd(&mine[in[i]], 1);  // two threads may hold the same byte
  __syncthreads();

  for (int b = threadIdx.x; b < BINS; b += THREADS)
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);  // other blocks add here, too
}
// --8<-- [end:kernel]

// gpu: scale=8000 bytes=20000*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 20'000 * SCALE;
constexpr int BLOCKS = SCALE == 1 ? 8 : 1024;  // each thread counts many bytes

// Returns how many bins are wrong, and clears them.
int count_wrong(const std::vector<int>& expected, int* device_bins) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<int> bins(BINS);
  CHECK(cudaMemcpy(bins.data(), device_bins, BINS * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_bins, 0, BINS * sizeof(int)));
  int wrong = 0;
  for (int b = 0; b < BINS; ++b) wrong += bins[b] != expected[b];
  return wrong;
}

int main() {
  // A skewed input, as pictures and texts are: half of the bytes fall into 16 bins.
  std::vector<unsigned char> bytes(N);
  std::vector<int> expected(BINS);
  unsigned state = 1;
  for (unsigned char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    unsigned random = state >> 16;
    byte = static_cast<unsigned char>(random % 2 ? random / 2 % 16 : random / 2 % 256);
    ++expected[byte];
  }

  unsigned char* in = nullptr;
  int* bins = nullptr;
  CHECK(cudaMalloc(&in, N));
  CHECK(cudaMalloc(&bins, BINS * sizeof(int)));
  CHECK(cudaMemcpy(in, bytes.data(), N, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins, 0, BINS * sizeof(int)));

  int wrong = 0;
  global_bins<<<BLOCKS, THREADS>>>(in, N, bins);
  wrong += count_wrong(expected, bins);
  private_bins<<<BLOCKS, THREADS>>>(in, N, bins);
  wrong += count_wrong(expected, bins);

  CHECK(cudaFree(in));
  CHECK(cudaFree(bins));
  std::printf("%s histogram: %d bytes in %d bins, global and private, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, BINS, wrong);
  return wrong ? 1 : 0;
}
