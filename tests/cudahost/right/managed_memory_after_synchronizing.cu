#include "../small.h"
__managed__ int total = 0;
__global__ void twice(int* x) {
  x[threadIdx.x] *= 2;
  atomicAdd(&total, x[threadIdx.x]);
}
int main() {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) x[i] = i;
  twice<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  bool good = x[31] == 62 && total == 992;
  x[0] = 5;
  cudaFree(x);
  return verdict(good);
}
