// Softmax of every row in three passes and in two, against the CPU in double precision.
#include <cuda_runtime.h>

#include <algorithm>
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

constexpr unsigned ALL = 0xffffffffu;

// A warp takes a row: maximum, then sum, then the quotients. The row is read three times.
__global__ void three_passes(const float* x, float* y, int cols) {
  const float* row = x + blockIdx.x * cols;
  float m = -INFINITY, d = 0;
  for (int i = threadIdx.x; i < cols; i += 32) m = fmaxf(m, row[i]);
  for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(ALL, m, o));
  for (int i = threadIdx.x; i < cols; i += 32) d += expf(row[i] - m);
  for (int o = 16; o > 0; o /= 2) d += __shfl_xor_sync(ALL, d, o);
  for (int i = threadIdx.x; i < cols; i += 32) y[blockIdx.x * cols + i] = expf(row[i] - m) / d;
}

// --8<-- [start:kernel]
// Maximum and sum in one pass: a new maximum scales the sum that was there.
// A warp takes a row; a row has at least 32 elements, so no lane is empty.
__global__ void online(const float* x, float* y, int cols) {
  const float* row = x + blockIdx.x * cols;
  float m = -INFINITY, d = 0;
  for (int i = threadIdx.x; i < cols; i += 32) {
    float larger = fmaxf(m, row[i]);
    d = d * expf(m - larger) + expf(row[i] - larger);
    m = larger;
  }
  for (int o = 16; o > 0; o /= 2) {  // merge the lanes' pairs in the same way
    float m_other = __shfl_xor_sync(ALL, m, o);
    float d_other = __shfl_xor_sync(ALL, d, o);
    float larger = fmaxf(m, m_other);
    d = d * expf(m - larger) + d_other * expf(m_other - larger);
    m = larger;
  }
  for (int i = threadIdx.x; i < cols; i += 32) y[blockIdx.x * cols + i] = expf(row[i] - m) / d;
}
// --8<-- [end:kernel]

// gpu: scale=4096 bytes=8*32*333*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int ROWS = 32 * SCALE;
constexpr int COLS = 333;
constexpr size_t BYTES = ROWS * COLS * sizeof(float);
constexpr double TOLERANCE = 1e-6;

// Returns how many elements are too far from the reference, and clears the result.
int count_wrong(const std::vector<double>& expected, float* device_result) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(ROWS * COLS);
  CHECK(cudaMemcpy(result.data(), device_result, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_result, 0xFF, BYTES));  // NaN: a skipped element shows
  int wrong = 0;
  for (int i = 0; i < ROWS * COLS; ++i) wrong += !(std::fabs(result[i] - expected[i]) <= TOLERANCE);
  return wrong;
}

int main() {
  std::vector<float> x(ROWS * COLS);
  std::vector<double> expected(ROWS * COLS);
  // Between 150 and 250: without the maximum taken off, exp would overflow.
  for (int i = 0; i < ROWS * COLS; ++i) x[i] = static_cast<float>(i * 37 % 1000) / 10 + 150;
  for (int row = 0; row < ROWS; ++row) {
    auto first = x.begin() + row * COLS;
    double m = *std::max_element(first, first + COLS), sum = 0;
    for (int i = 0; i < COLS; ++i) sum += std::exp(first[i] - m);
    for (int i = 0; i < COLS; ++i) expected[row * COLS + i] = std::exp(first[i] - m) / sum;
  }

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, BYTES));
  CHECK(cudaMalloc(&out, BYTES));
  CHECK(cudaMemcpy(in, x.data(), BYTES, cudaMemcpyHostToDevice));
  int wrong = 0;
  three_passes<<<ROWS, 32>>>(in, out, COLS);
  wrong += count_wrong(expected, out);
  online<<<ROWS, 32>>>(in, out, COLS);
  wrong += count_wrong(expected, out);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  std::printf("%s row_softmax: %d rows of %d, three passes and online, %d off by more than %g\n",
              wrong ? "FAIL" : "PASS", ROWS, COLS, wrong, TOLERANCE);
  return wrong ? 1 : 0;
}
