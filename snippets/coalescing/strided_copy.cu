// Copies an array three times, with lanes 1, 2 and 8 floats apart, and checks every element.
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
// Every element is copied once, whatever the stride: only the order changes.
// Neighboring lanes of a warp are STRIDE floats apart.
template <int STRIDE>
__global__ void strided_copy(const float* in, float* out, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int lanes_per_sweep = n / STRIDE;           // n is a multiple of STRIDE
  int sweep = thread / lanes_per_sweep;       // which of the STRIDE sweeps
  int place = thread % lanes_per_sweep;       // where in that sweep
  int element = place * STRIDE + sweep;
  if (thread < n) out[element] = in[element];  // STRIDE 1: 4 sectors, 8: 32
}
// --8<-- [end:kernel]

// gpu: scale=4096 bytes=8*16384*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = (1 << 14) * SCALE;
constexpr int THREADS = 256;
constexpr int BLOCKS = N / THREADS;

// Returns how many of the copied elements differ from the input, and clears the copy.
int count_wrong(const std::vector<float>& expected, float* device_copy) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> copy(N);
  CHECK(cudaMemcpy(copy.data(), device_copy, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_copy, 0xFF, N * sizeof(float)));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += copy[i] != expected[i];
  return wrong;
}

int main() {
  std::vector<float> values(N);
  for (int i = 0; i < N; ++i) values[i] = static_cast<float>(i);

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(float)));
  CHECK(cudaMalloc(&out, N * sizeof(float)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0xFF, N * sizeof(float)));

  int wrong = 0;
  strided_copy<1><<<BLOCKS, THREADS>>>(in, out, N);
  wrong += count_wrong(values, out);
  strided_copy<2><<<BLOCKS, THREADS>>>(in, out, N);
  wrong += count_wrong(values, out);
  strided_copy<8><<<BLOCKS, THREADS>>>(in, out, N);
  wrong += count_wrong(values, out);

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("%s strided_copy: strides 1, 2, 8, %d elements each, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
