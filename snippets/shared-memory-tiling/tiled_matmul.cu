// Multiplies two matrices, untiled and in tiles of 16 and 32, and checks every element.
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

// One thread makes one element of C and loads all it needs: 2 * k loads.
__global__ void untiled_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;  // fine here: no thread loads for another
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// --8<-- [start:kernel]
// A block makes TILE x TILE elements of C; a thread loads 2 * k / TILE floats.
template <int TILE>
__global__ void tiled_matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y;
  int col = blockIdx.x * TILE + x;

  float sum = 0;
  for (int step = 0; step < k; step += TILE) {
    // Every thread loads, also one whose own element lies outside C.
    a_tile[y][x] = row < m && step + x < k ? a[row * k + step + x] : 0;
    b_tile[y][x] = step + y < k && col < n ? b[(step + y) * n + col] : 0;
    __syncthreads();  // both tiles are complete
    for (int i = 0; i < TILE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // nobody reads them any more
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
// --8<-- [end:kernel]

// gpu: scale=10 bytes=4*(100*90+90*72+100*72)*SCALE**2 flops=2*100*72*90*SCALE**3
#ifndef SCALE
#define SCALE 1
#endif
constexpr int M = 100 * SCALE;  // none is a multiple of a tile at scale 1
constexpr int N = 72 * SCALE;
constexpr int K = 90 * SCALE;

// Returns how many elements differ from the reference, and clears the result.
int count_wrong(const std::vector<float>& expected, float* device_result) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(M * N);
  CHECK(cudaMemcpy(result.data(), device_result, M * N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_result, 0xFF, M * N * sizeof(float)));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < M * N; ++i) wrong += !(result[i] == expected[i]);
  return wrong;
}

dim3 grid_for(int tile) { return dim3((N + tile - 1) / tile, (M + tile - 1) / tile); }

int main() {
  // Small whole numbers: every sum is exact in FP32, whatever the order.
  std::vector<float> a(M * K), b(K * N), expected(M * N);
  for (int i = 0; i < M * K; ++i) a[i] = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < K * N; ++i) b[i] = static_cast<float>(i % 5 - 2);
  for (int row = 0; row < M; ++row)
    for (int col = 0; col < N; ++col)
      for (int i = 0; i < K; ++i) expected[row * N + col] += a[row * K + i] * b[i * N + col];

  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_c, M * N * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_c, 0xFF, M * N * sizeof(float)));

  int wrong = 0;
  untiled_matmul<<<grid_for(16), dim3(16, 16)>>>(device_a, device_b, device_c, M, N, K);
  wrong += count_wrong(expected, device_c);
  tiled_matmul<16><<<grid_for(16), dim3(16, 16)>>>(device_a, device_b, device_c, M, N, K);
  wrong += count_wrong(expected, device_c);
  tiled_matmul<32><<<grid_for(32), dim3(32, 32)>>>(device_a, device_b, device_c, M, N, K);
  wrong += count_wrong(expected, device_c);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  std::printf("%s tiled_matmul: %d x %d x %d, untiled and tiles of 16 and 32, %d wrong\n",
              wrong ? "FAIL" : "PASS", M, N, K, wrong);
  return wrong ? 1 : 0;
}
