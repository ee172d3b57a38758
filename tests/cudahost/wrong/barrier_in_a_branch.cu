// expect: barrier-divergence @barrier
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  part[t] = x[t];
  if (t < 128) {
    __syncthreads();  // @barrier
    part[t] = 0;
  }
}
int main() {
  sum<<<1, 256>>>(device(ramp(256)), nullptr);
  return cudaDeviceSynchronize() != cudaSuccess;
}
