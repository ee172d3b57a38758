// A chain: block i waits for block i - 1. In the reverse order all of them have to be there at once.
#include "../small.h"
__device__ int done[16];
__global__ void chain(int* total) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (atomicAdd(&done[blockIdx.x - 1], 0) == 0) {
      }
    __threadfence();
    *total = *total * 2 + 1;
    __threadfence();
    atomicExch(&done[blockIdx.x], 1);
  }
}
int main() {
  int* total = device(std::vector<int>(1));
  chain<<<16, 32>>>(total);
  return verdict(host(total, 1)[0] == 65535);
}
