#include "../small.h"
__device__ int data = 0;
__device__ volatile int ready = 0;
__global__ void hand_over(int* out) {
  if (blockIdx.x == 0) {
    data = 42;
    __threadfence();
    ready = 1;
  } else {
    while (!ready) {
    }
    __threadfence();
    *out = data;
  }
}
int main() {
  int* out = device(std::vector<int>(1));
  hand_over<<<2, 1>>>(out);
  return verdict(host(out, 1)[0] == 42);
}
