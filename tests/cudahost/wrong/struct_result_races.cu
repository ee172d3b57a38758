// expect: race shared @put @get
#include "../small.h"
struct Pair { int a, b; };
__device__ Pair twice(Pair p) { return {p.a * 2, p.b * 2}; }
__global__ void k(Pair* x) {
  __shared__ Pair s[64];
  s[threadIdx.x] = twice(x[threadIdx.x]);       // @put
  x[threadIdx.x] = twice(s[63 - threadIdx.x]);  // @get
}
int main() {
  k<<<1, 64>>>(device(std::vector<Pair>(64, {1, 2})));
  return cudaDeviceSynchronize() != cudaSuccess;
}
