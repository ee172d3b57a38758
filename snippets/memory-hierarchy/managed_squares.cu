// One pointer for CPU and GPU: managed memory, filled here, squared there, read here.
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

__global__ void square(int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

// --8<-- [start:host]
// Returns how many of the n squares are wrong. No copy is written; where a page
// is missing, the hardware or the driver brings it.
int square_managed(int n) {
  int* values = nullptr;
  CHECK(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = i;  // the CPU writes

  square<<<(n + 255) / 256, 256>>>(values, n);  // the GPU reads and writes
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());  // without it the CPU may read too early

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += values[i] != i * i;  // the CPU reads
  CHECK(cudaFree(values));
  return wrong;
}
// --8<-- [end:host]

constexpr int N = 10'000;

int main() {
  int wrong = square_managed(N);
  std::printf("%s managed_squares: %d values in managed memory, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
