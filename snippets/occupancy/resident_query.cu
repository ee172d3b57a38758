// Asks the runtime how many blocks of a kernel fit on an SM, for growing shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

// The first thread sums what the block's threads left in shared memory.
__global__ void staged_sum(const int* in, int* out) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0) return;
  int sum = 0;
  for (int t = 0; t < blockDim.x; ++t) sum += staged[t];
  out[blockIdx.x] = sum;
}

// --8<-- [start:query]
// What the runtime answers depends on the GPU; that it never grows does not.
bool more_memory_never_adds_a_block(int threads) {
  int before = 0;
  for (size_t shared = 4096; shared <= 49152; shared += 4096) {
    int blocks = 0;  // per SM, from registers, shared memory, warps and block slots
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, staged_sum, threads, shared));
    if (blocks < 1 || (before > 0 && blocks > before)) return false;
    before = blocks;
  }
  return true;
}
// --8<-- [end:query]

constexpr int BLOCKS = 4;

int main() {
  bool right = true;
  for (int threads = 32; threads <= 1024; threads *= 2)
    right = right && more_memory_never_adds_a_block(threads);

  // A launch with the shared memory that was asked about runs.
  int *in = nullptr, *out = nullptr;
  int values[BLOCKS * 256], sums[BLOCKS];
  for (int i = 0; i < BLOCKS * 256; ++i) values[i] = i;
  CHECK(cudaMalloc(&in, sizeof(values)));
  CHECK(cudaMalloc(&out, sizeof(sums)));
  CHECK(cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice));
  staged_sum<<<BLOCKS, 256, 49152>>>(in, out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(sums, out, sizeof(sums), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  for (int b = 0; b < BLOCKS; ++b) right = right && sums[b] == 256 * (256 * b) + 255 * 256 / 2;

  std::printf("%s resident_query: 6 block sizes, 12 sizes of shared memory\n",
              right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
