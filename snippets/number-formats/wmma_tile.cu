// Multiplies FP16 matrices on Tensor Cores with an FP32 sum, and checks every element.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

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
// One warp makes a 16 x 16 tile of C. Inputs have 16 bits, the sum has 32.
__global__ void wmma_matmul(const half* a, const half* b, float* c, int n) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> left;
  fragment<matrix_b, 16, 16, 16, half, row_major> right;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);

  int row = blockIdx.y * 16, col = blockIdx.x * 16;
  for (int k = 0; k < n; k += 16) {
    load_matrix_sync(left, a + row * n + k, n);  // the lanes hold a share each
    load_matrix_sync(right, b + k * n + col, n);
    mma_sync(sum, left, right, sum);  // 4,096 multiply-adds by the whole warp
  }
  store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}
// --8<-- [end:kernel]

// gpu: scale=8 bytes=8*(64*SCALE)**2 flops=2*(64*SCALE)**3
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 64 * SCALE;  // a multiple of 16

int main() {
  // Whole numbers that FP16 holds, with sums that FP32 holds: all is exact.
  std::vector<half> a(N * N), b(N * N);
  std::vector<float> expected(N * N), result(N * N);
  for (int i = 0; i < N * N; ++i) {
    a[i] = __float2half(static_cast<float>(i % 7 - 3));
    b[i] = __float2half(static_cast<float>(i % 5 - 2));
  }
  for (int row = 0; row < N; ++row)
    for (int k = 0; k < N; ++k)
      for (int col = 0; col < N; ++col)
        expected[row * N + col] +=
            static_cast<float>((row * N + k) % 7 - 3) * static_cast<float>((k * N + col) % 5 - 2);

  half *device_a = nullptr, *device_b = nullptr;
  float* device_c = nullptr;
  CHECK(cudaMalloc(&device_a, N * N * sizeof(half)));
  CHECK(cudaMalloc(&device_b, N * N * sizeof(half)));
  CHECK(cudaMalloc(&device_c, N * N * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), N * N * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), N * N * sizeof(half), cudaMemcpyHostToDevice));
  wmma_matmul<<<dim3(N / 16, N / 16), 32>>>(device_a, device_b, device_c, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), device_c, N * N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));

  int wrong = 0;
  for (int i = 0; i < N * N; ++i) wrong += !(result[i] == expected[i]);
  std::printf("%s wmma_tile: %d x %d x %d in FP16 with FP32 sums, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, N, N, wrong);
  return wrong ? 1 : 0;
}
