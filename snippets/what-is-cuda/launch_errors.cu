// Asks for a launch that cannot run, and shows which call tells about it.
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

__global__ void count_threads(int* threads) { atomicAdd(threads, 1); }

// --8<-- [start:launch]
// A launch returns nothing. Whether it was accepted is asked for afterwards.
cudaError_t launch(int blocks, int threads, int* count) {
  count_threads<<<blocks, threads>>>(count);
  cudaError_t refused = cudaGetLastError();  // reads the error and clears it
  if (refused != cudaSuccess) return refused;
  return cudaDeviceSynchronize();  // what goes wrong inside shows only here
}
// --8<-- [end:launch]

int main() {
  int* device_count = nullptr;
  CHECK(cudaMalloc(&device_count, sizeof(int)));
  CHECK(cudaMemset(device_count, 0, sizeof(int)));

  cudaError_t good = launch(2, 1024, device_count);
  cudaError_t too_large = launch(1, 2048, device_count);  // a block has at most 1,024 threads
  cudaError_t empty = launch(0, 32, device_count);        // a grid has at least one block
  cudaError_t again = launch(1, 32, device_count);        // a refused launch breaks nothing

  int count = 0;
  CHECK(cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_count));

  std::printf("2 x 1024: %s\n", cudaGetErrorName(good));
  std::printf("1 x 2048: %s\n", cudaGetErrorName(too_large));
  std::printf("0 x   32: %s\n", cudaGetErrorName(empty));
  std::printf("1 x   32: %s\n", cudaGetErrorName(again));
  bool right = good == cudaSuccess && too_large == cudaErrorInvalidConfiguration &&
               empty == cudaErrorInvalidConfiguration && again == cudaSuccess && count == 2080;
  std::printf("%s launch_errors: %d threads ran\n", right ? "PASS" : "FAIL", count);
  return right ? 0 : 1;
}
