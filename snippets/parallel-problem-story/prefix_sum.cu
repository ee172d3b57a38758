// Running totals of an array: scan in a block, scan of the block totals, add them.
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

// --8<-- [start:kernel]
// Each block makes the running totals of its 256 elements, in 8 rounds: after a
// round every thread holds the sum of twice as many elements.
__global__ void scan_blocks(const int* in, int* out, int* block_total, int n) {
  __shared__ int sum[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  sum[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int back = 1; back < THREADS; back *= 2) {
    int left = t >= back ? sum[t - back] : 0;
    __syncthreads();  // everybody has read
    sum[t] += left;
    __syncthreads();  // everybody has written
  }
  if (i < n) out[i] = sum[t];
  if (t == THREADS - 1) block_total[blockIdx.x] = sum[t];
}

// The next launch begins when the last one has ended: all totals are there.
__global__ void add_block_totals(int* out, const int* scanned_total, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += scanned_total[blockIdx.x - 1];
}
// --8<-- [end:kernel]

constexpr int N = 10'000;
constexpr int BLOCKS = (N + THREADS - 1) / THREADS;
static_assert(BLOCKS <= THREADS, "one block scans their totals");

int main() {
  std::vector<int> values(N), result(N);
  for (int i = 0; i < N; ++i) values[i] = i * 7 % 11 - 3;

  int *in = nullptr, *out = nullptr, *totals = nullptr, *total = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));
  CHECK(cudaMalloc(&totals, BLOCKS * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));
  scan_blocks<<<BLOCKS, THREADS>>>(in, out, totals, N);
  CHECK(cudaGetLastError());
  scan_blocks<<<1, THREADS>>>(totals, totals, total, BLOCKS);
  CHECK(cudaGetLastError());
  add_block_totals<<<BLOCKS, THREADS>>>(out, totals, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(totals));
  CHECK(cudaFree(total));

  int wrong = 0, running = 0;
  for (int i = 0; i < N; ++i) {
    running += values[i];
    wrong += result[i] != running;
  }
  std::printf("%s prefix_sum: %d elements in %d blocks, last total %d, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, BLOCKS, running, wrong);
  return wrong ? 1 : 0;
}
