// expect: uninitialized shared @read
#include "../small.h"
__global__ void sum(const float* x, float* out, int n) {
  __shared__ float part[64];
  if (threadIdx.x < n) part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float all = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 64; ++i) all += part[i];  // @read
    *out = all;
  }
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 64>>>(device(ramp(50)), out, 50);
  return cudaDeviceSynchronize() != cudaSuccess;
}
