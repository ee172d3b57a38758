// The second tile is loaded while others still read the first.
// expect: race shared @load @use
#include "../small.h"
__global__ void walk(const float* x, float* out) {
  __shared__ float tile[64];
  float sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[threadIdx.x] = x[step * 64 + threadIdx.x];  // @load
    __syncthreads();
    sum += tile[63 - threadIdx.x];  // @use
  }
  out[threadIdx.x] = sum;
}
int main() {
  float* out = device(std::vector<float>(64));
  walk<<<1, 64>>>(device(ramp(256)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
