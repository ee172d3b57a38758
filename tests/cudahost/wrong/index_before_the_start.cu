// expect: out-of-bounds global @read
#include "../small.h"
__global__ void shift(const float* x, float* out) {
  out[threadIdx.x] = x[int(threadIdx.x) - 1];  // @read
}
int main() {
  shift<<<1, 32>>>(device(ramp(32)), device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
