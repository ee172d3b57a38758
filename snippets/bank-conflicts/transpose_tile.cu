// Transposes a matrix through a shared-memory tile, without and with one column of padding.
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
// One block moves one 32 x 32 tile; rows and cols are multiples of 32.
// Reads and writes of global memory are both coalesced.
template <int PAD>
__global__ void transpose_tile(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];

  int col = blockIdx.x * TILE + threadIdx.x;
  int row = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[row * cols + col];  // a warp stores a row
  __syncthreads();

  col = blockIdx.y * TILE + threadIdx.x;  // the tile's place in the result
  row = blockIdx.x * TILE + threadIdx.y;
  out[row * rows + col] = tile[threadIdx.x][threadIdx.y];  // a warp loads a column
}
// PAD 0: the lanes of that load are 32 words apart, one bank, 32 passes.
// PAD 1: they are 33 words apart, 32 banks, one pass.
// --8<-- [end:kernel]

// gpu: scale=64 bytes=8*96*128*SCALE**2
#ifndef SCALE
#define SCALE 1
#endif
constexpr int ROWS = 96 * SCALE;
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
      wrong += result[col * ROWS + row] != matrix[row * COLS + col];
  return wrong;
}

int main() {
  std::vector<float> matrix(ROWS * COLS);
  for (int i = 0; i < ROWS * COLS; ++i) matrix[i] = static_cast<float>(i);

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, BYTES));
  CHECK(cudaMalloc(&out, BYTES));
  CHECK(cudaMemcpy(in, matrix.data(), BYTES, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0xFF, BYTES));

  dim3 block(TILE, TILE);
  dim3 grid(COLS / TILE, ROWS / TILE);
  int wrong = 0;
  transpose_tile<0><<<grid, block>>>(in, out, ROWS, COLS);
  wrong += count_wrong(matrix, out);
  transpose_tile<1><<<grid, block>>>(in, out, ROWS, COLS);
  wrong += count_wrong(matrix, out);

  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  std::printf("%s transpose_tile: %d x %d, unpadded and padded, %d wrong\n",
              wrong ? "FAIL" : "PASS", ROWS, COLS, wrong);
  return wrong ? 1 : 0;
}
