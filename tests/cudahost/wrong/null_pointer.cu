// expect: out-of-bounds global @write
#include "../small.h"
__global__ void fill(float* out) {
  out[threadIdx.x] = 1;  // @write
}
int main() {
  fill<<<1, 32>>>(nullptr);
  return cudaDeviceSynchronize() == cudaSuccess;
}
