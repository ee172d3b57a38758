// Reverses tiles through shared memory; the next tile is on its way while this one is used.
#include <cuda_pipeline.h>
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

constexpr int TILE = 256;

// --8<-- [start:kernel]
// A block reverses every gridDim.x-th tile. Each tile has one of two buffers;
// copies go from global to shared memory without passing through registers.
__global__ void reverse_tiles(const float* in, float* out, int tiles) {
  __shared__ float buffer[2][TILE];
  int t = threadIdx.x, tile = blockIdx.x, filled = 0;
  if (tile < tiles) __pipeline_memcpy_async(&buffer[0][t], &in[tile * TILE + t], sizeof(float));
  __pipeline_commit();

  for (; tile < tiles; tile += gridDim.x, filled ^= 1) {
    int next = tile + gridDim.x;
    if (next < tiles)  // into the buffer that nobody reads any more
      __pipeline_memcpy_async(&buffer[filled ^ 1][t], &in[next * TILE + t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);  // my copy of this tile is there, the next may be under way
    __syncthreads();           // everybody's copy is there
    out[tile * TILE + t] = buffer[filled][TILE - 1 - t];
    __syncthreads();  // this buffer may be filled again
  }
}
// --8<-- [end:kernel]

// gpu: scale=1000 bytes=8*100*256*SCALE
#ifndef SCALE
#define SCALE 1
#endif
constexpr int TILES = 100 * SCALE;
constexpr int N = TILES * TILE;

int main() {
  std::vector<float> values(N), result(N);
  for (int i = 0; i < N; ++i) values[i] = static_cast<float>(i);

  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(float)));
  CHECK(cudaMalloc(&out, N * sizeof(float)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  reverse_tiles<<<SCALE == 1 ? 8 : 1024, TILE>>>(in, out, TILES);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(result.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));

  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    int tile = i / TILE * TILE;
    wrong += !(result[i] == values[tile + TILE - 1 - i % TILE]);
  }
  std::printf("%s async_tiles: %d tiles of %d, two buffers, %d wrong\n",
              wrong ? "FAIL" : "PASS", TILES, TILE, wrong);
  return wrong ? 1 : 0;
}
