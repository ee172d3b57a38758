// expect: race global @inside
#include "../small.h"
__device__ int lock = 0, total = 0;
__global__ void add() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  total += 1;  // @inside
  atomicExch(&lock, 0);
}
int main() {
  add<<<4, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
