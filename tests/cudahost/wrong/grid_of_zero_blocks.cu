// expect: unchecked-error @launch
#include "../small.h"
__global__ void fill(float* out, int n) { out[threadIdx.x] = 1; }
int main() {
  int n = 100;
  float* out = device(std::vector<float>(n));
  fill<<<n / 256, 256>>>(out, n);  // @launch
  return cudaDeviceSynchronize() != cudaSuccess;
}
