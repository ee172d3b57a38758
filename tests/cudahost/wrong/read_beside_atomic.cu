// The total is read before everybody has added to it.
// expect: race shared @add @read
#include "../small.h"
__global__ void total(const float* x, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[threadIdx.x]);  // @add
  out[threadIdx.x] = sum;  // @read
}
int main() {
  float* out = device(std::vector<float>(64));
  total<<<1, 64>>>(device(ramp(64)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
