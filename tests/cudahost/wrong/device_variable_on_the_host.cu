// expect: device-pointer global @read
#include "../small.h"
__device__ int counter = 0;
__global__ void count() { atomicAdd(&counter, 1); }
int main() {
  count<<<1, 32>>>();
  cudaDeviceSynchronize();
  return counter == 32;  // @read
}
