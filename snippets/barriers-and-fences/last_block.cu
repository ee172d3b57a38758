// Sums an array in one launch: the block that finishes last adds up what the others left.
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

constexpr int THREADS = 128;
constexpr int BLOCKS = 16;

// --8<-- [start:kernel]
__device__ unsigned finished = 0;

// No block waits for another. The fence makes a block's sum visible before its
// ticket is; who draws the last ticket finds all sums.
__global__ void sum_in_one_launch(const int* in, int n, volatile int* block_sum, int* total) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += BLOCKS * THREADS)
    atomicAdd(&part, in[i]);
  __syncthreads();

  if (threadIdx.x > 0) return;  // no barrier follows
  block_sum[blockIdx.x] = part;
  __threadfence();  // first the sum, then the ticket
  if (atomicInc(&finished, BLOCKS - 1) < BLOCKS - 1) return;  // the last ticket makes it 0 again
  __threadfence();  // first the last ticket, then the others' sums
  int sum = 0;
  for (int b = 0; b < BLOCKS; ++b) sum += block_sum[b];
  *total = sum;
}
// --8<-- [end:kernel]

constexpr int N = 10'000;

int main() {
  std::vector<int> values(N);
  int expected = 0;
  for (int i = 0; i < N; ++i) expected += values[i] = i * 7 % 11 - 3;

  int *in = nullptr, *block_sum = nullptr, *device_total = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&block_sum, BLOCKS * sizeof(int)));
  CHECK(cudaMalloc(&device_total, sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));

  int wrong = 0;
  for (int launch = 0; launch < 2; ++launch) {
    int total = 0;
    CHECK(cudaMemset(device_total, 0, sizeof(int)));
    sum_in_one_launch<<<BLOCKS, THREADS>>>(in, N, block_sum, device_total);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&total, device_total, sizeof(int), cudaMemcpyDeviceToHost));
    wrong += total != expected;
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(block_sum));
  CHECK(cudaFree(device_total));
  std::printf("%s last_block: %d elements, two launches, sum %d, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, expected, wrong);
  return wrong ? 1 : 0;
}
