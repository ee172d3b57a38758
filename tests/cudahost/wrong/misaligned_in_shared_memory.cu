// expect: misaligned shared @write
#include "../small.h"
__global__ void store() {
  __shared__ float s[64];
  *reinterpret_cast<float2*>(&s[2 * threadIdx.x + 1]) = make_float2(1, 2);  // @write
}
int main() {
  store<<<1, 8>>>();
  return cudaDeviceSynchronize() == cudaSuccess;
}
