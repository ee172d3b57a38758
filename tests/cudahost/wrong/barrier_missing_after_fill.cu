// expect: race shared @fill @read
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];  // @fill
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) *out += part[i];  // @read
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 64>>>(device(ramp(64)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
