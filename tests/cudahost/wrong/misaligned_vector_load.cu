// expect: misaligned global @read
#include "../small.h"
__global__ void load(const float* x, float4* out) {
  out[threadIdx.x] = *reinterpret_cast<const float4*>(x + threadIdx.x * 4 + 1);  // @read
}
int main() {
  load<<<1, 8>>>(device(ramp(64)), (float4*)device(std::vector<float>(32)));
  return cudaDeviceSynchronize() == cudaSuccess;
}
