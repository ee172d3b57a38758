// expect: missing-syncwarp shared @write @read
#include "../small.h"
__global__ void rotate(const float* x, float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = x[threadIdx.x];  // @write
  out[threadIdx.x] = s[(threadIdx.x + 1) % 32];  // @read
}
int main() {
  float* out = device(std::vector<float>(32));
  rotate<<<1, 32>>>(device(ramp(32)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
