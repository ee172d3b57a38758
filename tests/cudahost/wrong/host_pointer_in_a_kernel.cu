// expect: host-pointer host @read
#include "../small.h"
__global__ void copy(const float* x, float* out) {
  out[threadIdx.x] = x[threadIdx.x];  // @read
}
int main() {
  std::vector<float> x(32, 1.0f);
  copy<<<1, 32>>>(x.data(), device(std::vector<float>(32)));
  return cudaDeviceSynchronize() == cudaSuccess;
}
