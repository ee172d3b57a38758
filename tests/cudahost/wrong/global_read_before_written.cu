// expect: uninitialized global @read
#include "../small.h"
__global__ void add(const float* x, float* out) {
  out[threadIdx.x] += x[threadIdx.x];  // @read
}
int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  add<<<1, 32>>>(device(ramp(32)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
