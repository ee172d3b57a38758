// Multiplies two matrices with one and with 4 x 4 elements per thread, and checks every element.
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

// One element per thread: two loads for every multiply-add.
__global__ void one_element(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * n + col];
  c[row * n + col] = sum;
}

constexpr int TILE = 64;  // of C, per block of 16 x 16 threads
constexpr int STEP = 16;  // of k, per round
constexpr int EACH = 4;   // rows and columns per thread

// --8<-- [start:kernel]
// 16 elements per thread, in registers: 8 loads for 16 multiply-adds.
__global__ void register_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[TILE][STEP], b_tile[STEP][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * STEP + tx;
  int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  float sum[EACH][EACH] = {};
  for (int step = 0; step < n; step += STEP) {
    for (int e = thread; e < TILE * STEP; e += STEP * STEP) {
      a_tile[e / STEP][e % STEP] = a[(row + e / STEP) * n + step + e % STEP];
      b_tile[e / TILE][e % TILE] = b[(step + e / TILE) * n + col + e % TILE];
    }
    __syncthreads();
    for (int k = 0; k < STEP; ++k)
      for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j)
          sum[i][j] += a_tile[ty + 16 * i][k] * b_tile[k][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < EACH; ++i)
    for (int j = 0; j < EACH; ++j)
      c[(row + ty + 16 * i) * n + col + tx + 16 * j] = sum[i][j];
}
// --8<-- [end:kernel]

// gpu: scale=8 bytes=3*4*(128*SCALE)**2 flops=2*(128*SCALE)**3
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 128 * SCALE;  // a multiple of the tile
constexpr size_t BYTES = size_t{N} * N * sizeof(float);

// Returns how many elements are wrong, and clears the result.
int count_wrong(const std::vector<float>& expected, float* device_result) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(N * N);
  CHECK(cudaMemcpy(result.data(), device_result, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_result, 0xFF, BYTES));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < N * N; ++i) wrong += !(result[i] == expected[i]);
  return wrong;
}

int main() {
  // Small whole numbers: every sum is exact in FP32, whatever the order.
  std::vector<float> a(N * N), b(N * N), expected(N * N);
  for (int i = 0; i < N * N; ++i) {
    a[i] = static_cast<float>(i % 7 - 3);
    b[i] = static_cast<float>(i % 5 - 2);
  }
  for (int row = 0; row < N; ++row)
    for (int i = 0; i < N; ++i)
      for (int col = 0; col < N; ++col) expected[row * N + col] += a[row * N + i] * b[i * N + col];

  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  CHECK(cudaMalloc(&device_a, BYTES));
  CHECK(cudaMalloc(&device_b, BYTES));
  CHECK(cudaMalloc(&device_c, BYTES));
  CHECK(cudaMemcpy(device_a, a.data(), BYTES, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), BYTES, cudaMemcpyHostToDevice));

  int wrong = 0;
  one_element<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(device_a, device_b, device_c, N);
  wrong += count_wrong(expected, device_c);
  register_tiles<<<dim3(N / TILE, N / TILE), dim3(16, 16)>>>(device_a, device_b, device_c, N);
  wrong += count_wrong(expected, device_c);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  std::printf("%s register_tiles: %d x %d x %d, 1 and 16 elements a thread, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, N, N, wrong);
  return wrong ? 1 : 0;
}
