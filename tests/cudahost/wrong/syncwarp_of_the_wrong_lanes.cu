// expect: missing-syncwarp shared @write @read
#include "../small.h"
__global__ void swap_halves(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;  // @write
  __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 16];  // @read
}
int main() {
  float* out = device(std::vector<float>(32));
  swap_halves<<<1, 32>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
