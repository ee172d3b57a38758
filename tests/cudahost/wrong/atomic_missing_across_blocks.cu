// expect: race global @add
#include "../small.h"
__global__ void total(const float* x, float* out) {
  if (threadIdx.x == 0) *out += x[blockIdx.x];  // @add
}
int main() {
  float* out = device(std::vector<float>(1));
  total<<<8, 32>>>(device(ramp(8)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
