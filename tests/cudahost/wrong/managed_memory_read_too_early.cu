// expect: race managed @read @write
#include "../small.h"
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // @write
int main() {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  fill<<<1, 32>>>(x);
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += x[i];  // @read
  cudaDeviceSynchronize();
  return sum == 32;
}
