// expect: race global @add
#include "../small.h"
__device__ int total = 0;
__global__ void add() {
  atomicAdd_block(&total, 1);  // @add
}
int main() {
  add<<<4, 32>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
