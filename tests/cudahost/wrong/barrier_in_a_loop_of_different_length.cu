// expect: barrier-divergence @barrier @end
#include "../small.h"
__global__ void loop(float* out) {
  __shared__ float s[64];
  for (int i = 0; i <= threadIdx.x / 32; ++i) __syncthreads();  // @barrier
  s[threadIdx.x] = 1;
  __syncthreads();  // @end
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  loop<<<1, 64>>>(device(std::vector<float>(64)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
