// Copies an array with 4 and with 16 bytes per load, and checks every element.
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
// 32 lanes x 4 bytes: a request of 4 sectors.
__global__ void copy_words(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// 32 lanes x 16 bytes: a request of 16 sectors, and a quarter of the requests.
// Addresses are multiples of 16; cudaMalloc aligns the first one.
__global__ void copy_vectors(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
// --8<-- [end:kernel]

// gpu: scale=4096 bytes=8*16384*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = (1 << 14) * SCALE;  // a multiple of four floats
constexpr int THREADS = 256;
constexpr size_t BYTES = N * sizeof(float);

// Returns how many copied elements are wrong, and clears the copy.
int count_wrong(const std::vector<float>& values, float* device_copy) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> copy(N);
  CHECK(cudaMemcpy(copy.data(), device_copy, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_copy, 0xFF, BYTES));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(copy[i] == values[i]);
  return wrong;
}

int main() {
  std::vector<float> values(N);
  for (int i = 0; i < N; ++i) values[i] = static_cast<float>(i);

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, BYTES));
  CHECK(cudaMalloc(&out, BYTES));
  CHECK(cudaMemcpy(in, values.data(), BYTES, cudaMemcpyHostToDevice));

  int wrong = 0;
  copy_words<<<N / THREADS, THREADS>>>(in, out, N);
  wrong += count_wrong(values, out);
  copy_vectors<<<N / 4 / THREADS, THREADS>>>(reinterpret_cast<const float4*>(in),
                                             reinterpret_cast<float4*>(out), N / 4);
  wrong += count_wrong(values, out);

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("%s vector_copy: 4 and 16 bytes a load, %d elements each, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
