#include "../small.h"
__global__ void pass_on(const float* x, float* out) {
  __shared__ float buffer[32];
  __shared__ volatile int full;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    buffer[threadIdx.x] = x[threadIdx.x];
    __syncwarp();
    __threadfence_block();
    if (threadIdx.x == 0) full = 1;
  } else {
    while (!full) {
    }
    __threadfence_block();
    out[threadIdx.x - 32] = buffer[63 - threadIdx.x];
  }
}
int main() {
  float* out = device(std::vector<float>(32));
  pass_on<<<1, 64>>>(device(ramp(32)), out);
  return verdict(host(out, 32)[0] == 31 % 17);
}
