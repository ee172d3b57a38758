// Blurs a signal in tiles with a halo: every value becomes the sum of seven neighbors.
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

constexpr int TILE = 128;
constexpr int RADIUS = 3;

// --8<-- [start:kernel]
// A block makes TILE sums; the first and last ones reach RADIUS values beyond
// its tile. That rim is the halo. Outside of the signal everything is zero.
__global__ void blur(const float* in, float* out, int n) {
  __shared__ float tile[RADIUS + TILE + RADIUS];
  int first = blockIdx.x * TILE - RADIUS;  // the place of tile[0] in the signal
  for (int k = threadIdx.x; k < TILE + 2 * RADIUS; k += TILE) {
    int i = first + k;
    tile[k] = i >= 0 && i < n ? in[i] : 0;  // a neighbor's values among them
  }
  __syncthreads();

  float sum = 0;
  for (int k = 0; k <= 2 * RADIUS; ++k) sum += tile[threadIdx.x + k];
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) out[i] = sum;  // never into `in`: other blocks still read it
}
// --8<-- [end:kernel]

constexpr int N = 5000;  // no multiple of the tile
constexpr int BLOCKS = (N + TILE - 1) / TILE;
constexpr size_t BYTES = N * sizeof(float);

std::vector<float> blurred(const std::vector<float>& in) {
  std::vector<float> out(N);
  for (int i = 0; i < N; ++i)
    for (int k = i - RADIUS; k <= i + RADIUS; ++k) out[i] += k >= 0 && k < N ? in[k] : 0;
  return out;
}

int main() {
  // Whole numbers: every sum is exact in FP32.
  std::vector<float> signal(N), result(N);
  for (int i = 0; i < N; ++i) signal[i] = static_cast<float>(i * 7 % 11 - 5);

  float *before = nullptr, *after = nullptr;
  CHECK(cudaMalloc(&before, BYTES));
  CHECK(cudaMalloc(&after, BYTES));
  CHECK(cudaMemcpy(before, signal.data(), BYTES, cudaMemcpyHostToDevice));

  blur<<<BLOCKS, TILE>>>(before, after, N);  // two passes, each into the other buffer
  blur<<<BLOCKS, TILE>>>(after, before, N);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), before, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(before));
  CHECK(cudaFree(after));

  std::vector<float> expected = blurred(blurred(signal));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(result[i] == expected[i]);
  std::printf("%s blur_halo: %d values, two passes, %d wrong\n", wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
