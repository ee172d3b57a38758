// expect: race global @data @read
#include "../small.h"
__device__ int data = 0;
__device__ volatile int ready = 0;
__global__ void hand_over(int* out) {
  if (blockIdx.x == 0) {
    data = 42;  // @data
    ready = 1;
  } else {
    while (!ready) {
    }
    *out = data;  // @read
  }
}
int main() {
  int* out = device(std::vector<int>(1));
  hand_over<<<2, 1>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
