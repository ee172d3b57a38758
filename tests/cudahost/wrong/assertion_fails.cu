// expect: assert @assert
#include <cassert>
#include "../small.h"
__global__ void positive(const float* x) {
  assert(x[threadIdx.x] > 0);  // @assert
}
int main() {
  positive<<<1, 32>>>(device(ramp(32)));
  return cudaDeviceSynchronize() == cudaSuccess;
}
