#include <cassert>
#include "../small.h"
__global__ void hello(int n) {
  assert(n == 2);
  if (threadIdx.x == 0) printf("block %d of %d: %.1f %s\n", blockIdx.x, gridDim.x, 1.5f, "words");
}
int main() {
  hello<<<1, 32>>>(2);
  return verdict(cudaDeviceSynchronize() == cudaSuccess);
}
