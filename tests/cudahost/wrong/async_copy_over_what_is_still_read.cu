// expect: race shared @copy @read
#include <cuda_pipeline.h>

#include "../small.h"
__global__ void k(const float4* in, float4* out) {
  __shared__ float4 tiles[2][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tiles[0][t], &in[t], 16);
  __pipeline_commit();
  for (int i = 0; i < 4; ++i) {
    if (i < 3) __pipeline_memcpy_async(&tiles[(i + 1) % 2][t], &in[(i + 1) * 64 + t], 16);  // @copy
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i * 64 + t] = tiles[i % 2][63 - t];  // @read
  }
}
int main() {
  float4* in = device(std::vector<float4>(256));
  k<<<1, 64>>>(in, device(std::vector<float4>(256)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
