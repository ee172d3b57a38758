// y = a * x + y with fewer threads than elements: every thread takes many.
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
// A thread takes element i, then jumps by the number of threads in the grid.
// Right for every launch shape; neighbors stay neighbors in every round.
__global__ void saxpy_grid_stride(int n, float a, const float* x, float* y) {
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    y[i] = a * x[i] + y[i];
}
// --8<-- [end:kernel]

// gpu: scale=6400 bytes=12*10000*SCALE flops=2*10000*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 10'000 * SCALE;
constexpr float A = 2.0f;

int main() {
  // Small whole numbers: every result is exact in FP32.
  std::vector<float> x(N), y(N), result(N);
  for (int i = 0; i < N; ++i) {
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 7);
  }

  float *d_x = nullptr, *d_y = nullptr;
  CHECK(cudaMalloc(&d_x, N * sizeof(float)));
  CHECK(cudaMalloc(&d_y, N * sizeof(float)));
  CHECK(cudaMemcpy(d_x, x.data(), N * sizeof(float), cudaMemcpyHostToDevice));

  int wrong = 0;
  const dim3 grids[] = {1, 4, 40 * SCALE};  // the last one has a thread per element
  for (dim3 grid : grids) {
    CHECK(cudaMemcpy(d_y, y.data(), N * sizeof(float), cudaMemcpyHostToDevice));
    saxpy_grid_stride<<<grid, 256>>>(N, A, d_x, d_y);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(result.data(), d_y, N * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i) wrong += !(result[i] == A * x[i] + y[i]);
  }

  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  std::printf("%s grid_stride: %d elements, 3 launch shapes, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
