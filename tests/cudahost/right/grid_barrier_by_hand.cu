#include "../small.h"
__device__ unsigned arrived = 0;
__global__ void two_steps(const float* x, float* middle, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  middle[i] = x[i] + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[i] = middle[n - 1 - i];
}
int main() {
  float* out = device(std::vector<float>(256));
  two_steps<<<4, 64>>>(device(ramp(256)), device(std::vector<float>(256)), out, 256);
  return verdict(host(out, 256)[0] == 255 % 17 + 1);
}
