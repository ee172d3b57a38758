// expect: deadlock @spin
#include "../small.h"
__device__ int flag = 0;
__global__ void wait() {
  if (threadIdx.x == 0)
    while (flag == 0) {  // @spin
    }
}
int main() {
  wait<<<1, 32>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
