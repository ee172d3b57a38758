// Transposes a matrix without a tile and through a swizzled one, and checks every element.
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

constexpr int TILE = 32;

// --8<-- [start:kernel]
// No tile: the reads are coalesced, the writes are `rows` floats apart.
__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  out[col * rows + row] = in[row * cols + col];
}

// Swizzled: element (row, col) lies at column col ^ row. A row and a column each
// cover all 32 banks, and not a word is wasted.
__global__ void transpose_swizzled(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x ^ y] = in[(blockIdx.y * TILE + y) * cols + blockIdx.x * TILE + x];
  __syncthreads();
  out[(blockIdx.x * TILE + y) * rows + blockIdx.y * TILE + x] = tile[x][y ^ x];
}
// --8<-- [end:kernel]

// gpu: scale=64 bytes=8*96*128*SCALE**2
#ifndef SCALE
#define SCALE 1
#endif
constexpr int ROWS = 96 * SCALE;  // multiples of the tile
constexpr int COLS = 128 * SCALE;
constexpr size_t BYTES = ROWS * COLS * sizeof(float);

// Returns how many elements of the transposed matrix are wrong, and clears it.
int count_wrong(const std::vector<float>& matrix, float* device_result) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(ROWS * COLS);
  CHECK(cudaMemcpy(result.data(), device_result, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(device_result, 0xFF, BYTES));  // NaN: a skipped element shows
  int wrong = 0;
  for (int row = 0; row < ROWS; ++row)
    for (int col = 0; col < COLS; ++col)
      wrong += !(result[col * ROWS + row] == matrix[row * COLS + col]);
  return wrong;
}

int main() {
  std::vector<float> matrix(ROWS * COLS);
  for (int i = 0; i < ROWS * COLS; ++i) matrix[i] = static_cast<float>(i);

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, BYTES));
  CHECK(cudaMalloc(&out, BYTES));
  CHECK(cudaMemcpy(in, matrix.data(), BYTES, cudaMemcpyHostToDevice));

  dim3 block(TILE, TILE);
  dim3 grid(COLS / TILE, ROWS / TILE);
  int wrong = 0;
  transpose_naive<<<grid, block>>>(in, out, ROWS, COLS);
  wrong += count_wrong(matrix, out);
  transpose_swizzled<<<grid, block>>>(in, out, ROWS, COLS);
  wrong += count_wrong(matrix, out);

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("%s swizzled_tile: %d x %d, without a tile and swizzled, %d wrong\n",
              wrong ? "FAIL" : "PASS", ROWS, COLS, wrong);
  return wrong ? 1 : 0;
}
