// y = a * x + y on the GPU: allocate, copy in, launch, copy out, compare with the CPU.
#include <cuda_runtime.h>

#include <cmath>
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
// __global__: compiled for the GPU, started from the CPU. One thread, one element.
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // the last block has threads to spare
}
// --8<-- [end:kernel]

// gpu: scale=6400 bytes=12*10000*SCALE flops=2*10000*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 10'000 * SCALE;
constexpr int THREADS = 256;
constexpr float A = 2.0f;

// --8<-- [start:host]
// Ordinary C++: copies to the GPU, starts the kernel, copies back.
std::vector<float> saxpy_on_gpu(float a, const std::vector<float>& x, const std::vector<float>& y) {
  int n = static_cast<int>(x.size());
  size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;  // addresses in GPU memory
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));

  int blocks = (n + THREADS - 1) / THREADS;  // round up: 40 blocks for 10,000
  saxpy<<<blocks, THREADS>>>(n, a, d_x, d_y);
  CHECK(cudaGetLastError());       // was the launch accepted?
  CHECK(cudaDeviceSynchronize());  // did the kernel run to its end?

  std::vector<float> result(n);
  CHECK(cudaMemcpy(result.data(), d_y, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  return result;
}
// --8<-- [end:host]

int main() {
  std::vector<float> x(N), y(N);
  for (int i = 0; i < N; ++i) {
    x[i] = 0.5f * static_cast<float>(i % 1000);
    y[i] = 1.0f - static_cast<float>(i % 1000);
  }

  std::vector<float> result = saxpy_on_gpu(A, x, y);
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += std::fabs(result[i] - (A * x[i] + y[i])) > 1e-3f;

  std::printf("%s saxpy: %d elements, %d wrong\n", wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
