// A shuffle hands over a value, it does not order memory.
// expect: missing-syncwarp shared @write @read
#include "../small.h"
__global__ void mix(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;  // @write
  float v = __shfl_xor_sync(0xffffffff, 1.0f, 1);
  out[threadIdx.x] = v + s[31 - threadIdx.x];  // @read
}
int main() {
  float* out = device(std::vector<float>(32));
  mix<<<1, 32>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
