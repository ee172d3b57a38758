// expect: unchecked-error @launch
#include "../small.h"
__global__ void fill() {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
}
int main() {
  fill<<<1, 32, 64 * 1024>>>();  // @launch
  return cudaDeviceSynchronize() != cudaSuccess;
}
