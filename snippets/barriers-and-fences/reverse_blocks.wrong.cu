// Reverses every block's stretch of an array through shared memory; the last stretch is short.
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
// The guard stands around the load and around the store, not around the barrier:
// threads without an element arrive there as well.
__global__ void reverse_blocks(int* values, int n) {
  __shared__ int kept[THREADS];
  int first = blockIdx.x * THREADS, t = threadIdx.x;
  int length = min(THREADS, n - first);  // of this block's stretch
  if (t < length) {
    kept[t] = values[first + t];
    __syncthreads();
    values[first + t] = kept[length - 1 - t];
  } else {
    __syncthreads();  // as many barriers, but not the same one
  }
}
// --8<-- [end:kernel]

constexpr int N = 1000;

int main() {
  std::vector<int> values(N), result(N);
  for (int i = 0; i < N; ++i) values[i] = i;

  int* device_values = nullptr;
  CHECK(cudaMalloc(&device_values, N * sizeof(int)));
  CHECK(cudaMemcpy(device_values, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));
  reverse_blocks<<<(N + THREADS - 1) / THREADS, THREADS>>>(device_values, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), device_values, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_values));

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    int first = i / THREADS * THREADS, end = first + THREADS < N ? first + THREADS : N;
    wrong += result[i] != values[first + end - 1 - i];
  }
  std::printf("%s reverse_blocks: %d elements in blocks of %d, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, THREADS, wrong);
  return wrong ? 1 : 0;
}
