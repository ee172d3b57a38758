#include "../small.h"
__global__ void steps(float* out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  if (n > 3) __syncthreads();
  if (blockIdx.x == 1) {
    __syncthreads();
    s[threadIdx.x] = 0;
  }
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  float* out = device(std::vector<float>(128));
  steps<<<2, 64>>>(out, 5);
  return verdict(host(out, 128)[0] == 63 && host(out, 128)[64] == 0);
}
