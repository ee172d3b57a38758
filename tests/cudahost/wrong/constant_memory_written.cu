// expect: constant-written constant @write
#include "../small.h"
__constant__ float weights[4];
__global__ void set() { const_cast<float*>(weights)[threadIdx.x] = 1; }  // @write
int main() {
  set<<<1, 4>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
