// expect: out-of-bounds shared @write
// expect: out-of-bounds shared @read
#include "../small.h"
__global__ void reverse(const float* x, float* out) {
  __shared__ float tile[32], beside[32];
  beside[threadIdx.x % 32] = 0;
  tile[threadIdx.x] = x[threadIdx.x];  // @write
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @read
}
int main() {
  reverse<<<1, 64>>>(device(ramp(64)), device(std::vector<float>(64)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
