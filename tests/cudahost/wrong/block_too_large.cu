// expect: unchecked-error @launch
#include "../small.h"
__global__ void fill(float* out) { out[threadIdx.x] = 1; }
int main() {
  float* out = device(std::vector<float>(2048));
  fill<<<1, 2048>>>(out);  // @launch
  return cudaDeviceSynchronize() != cudaSuccess;
}
