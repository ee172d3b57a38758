#include "../small.h"
__device__ int lock = 0, total = 0;
__global__ void add() {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    total += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}
__global__ void read(int* out) { *out = total; }
int main() {
  int* out = device(std::vector<int>(1));
  add<<<20, 32>>>();
  read<<<1, 1>>>(out);
  return verdict(host(out, 1)[0] == 20);
}
