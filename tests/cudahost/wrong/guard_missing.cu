// expect: out-of-bounds global @copy
#include "../small.h"
__global__ void copy(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i];  // @copy
}
int main() {
  copy<<<2, 64>>>(device(ramp(100)), device(std::vector<float>(100)), 100);
  return cudaDeviceSynchronize() != cudaSuccess;
}
