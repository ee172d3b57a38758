// One kernel body compiled twice: with the registers it wants, and capped so that more blocks fit.
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
constexpr int TERMS = 48;

// --8<-- [start:kernel]
// 48 sums per thread, all alive at once. BLOCKS asks the compiler to leave room
// for that many blocks on an SM: with 8 blocks of 256 threads, 32 registers each.
template <int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) power_sums(const float* x, float* out, int n) {
  float sum[TERMS] = {};
  for (int i = threadIdx.x; i < n; i += THREADS) {
    float value = x[i], power = 1;
#pragma unroll
    for (int k = 0; k < TERMS; ++k) sum[k] += power *= value;
  }
#pragma unroll
  for (int k = 0; k < TERMS; ++k) out[k * THREADS + threadIdx.x] = sum[k];
}
// --8<-- [end:kernel]

constexpr int N = 4096;

// Returns how many of the sums differ from the CPU's, and clears them.
int count_wrong(const std::vector<float>& expected, float* device_sums) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> sums(TERMS * THREADS);
  CHECK(cudaMemcpy(sums.data(), device_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_sums, 0xFF, sums.size() * sizeof(float)));  // NaN: a gap shows
  int wrong = 0;
  for (size_t i = 0; i < sums.size(); ++i) wrong += !(sums[i] == expected[i]);
  return wrong;
}

int main() {
  // -1, 0 and 1: every power and every sum is exact.
  std::vector<float> x(N), expected(TERMS * THREADS);
  for (int i = 0; i < N; ++i) x[i] = static_cast<float>(i * 7 % 3 - 1);
  for (int i = 0; i < N; ++i) {
    float power = 1;
    for (int k = 0; k < TERMS; ++k) expected[k * THREADS + i % THREADS] += power *= x[i];
  }

  float *device_x = nullptr, *device_sums = nullptr;
  CHECK(cudaMalloc(&device_x, N * sizeof(float)));
  CHECK(cudaMalloc(&device_sums, TERMS * THREADS * sizeof(float)));
  CHECK(cudaMemcpy(device_x, x.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_sums, 0xFF, TERMS * THREADS * sizeof(float)));

  int wrong = 0;
  power_sums<1><<<1, THREADS>>>(device_x, device_sums, N);
  wrong += count_wrong(expected, device_sums);
  power_sums<8><<<1, THREADS>>>(device_x, device_sums, N);
  wrong += count_wrong(expected, device_sums);

  CHECK(cudaFree(device_x));
  CHECK(cudaFree(device_sums));
  std::printf("%s register_cap: %d sums per thread, free and capped, %d wrong\n",
              wrong ? "FAIL" : "PASS", TERMS, wrong);
  return wrong ? 1 : 0;
}
