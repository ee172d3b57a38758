// expect: use-after-free global @use @free
#include "../small.h"
__global__ void fill(float* x) {
  x[threadIdx.x] = 1;  // @use
}
int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaFree(x);  // @free
  fill<<<1, 32>>>(x);
  return cudaDeviceSynchronize() != cudaSuccess;
}
