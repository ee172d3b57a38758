// expect: out-of-bounds global @read
#include "../small.h"
__global__ void copy(const float4* x, float4* out) {
  out[threadIdx.x] = x[threadIdx.x];  // @read
}
int main() {
  copy<<<1, 8>>>((const float4*)device(ramp(30)), (float4*)device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
