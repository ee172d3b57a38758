// expect: out-of-bounds shared @write
#include "../small.h"
__global__ void fill() {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;  // @write
}
int main() {
  fill<<<1, 64, 64>>>();  // 64 bytes, not 64 floats
  return cudaDeviceSynchronize() != cudaSuccess;
}
