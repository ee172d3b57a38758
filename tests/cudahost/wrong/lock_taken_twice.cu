// expect: deadlock @second
#include "../small.h"
__device__ int lock = 0;
__global__ void twice() {
  while (atomicCAS(&lock, 0, 1)) {
  }
  while (atomicCAS(&lock, 0, 1)) {  // @second
  }
}
int main() {
  twice<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
