// Right before Volta: the lanes of a warp no longer run in step.
// expect: missing-syncwarp shared @add
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  __shared__ volatile float s[64];
  unsigned t = threadIdx.x;
  s[t] = x[t];
  s[t + 32] = x[t + 32];
  __syncthreads();
  if (t < 32)
    for (int step = 32; step > 0; step /= 2) s[t] = s[t] + s[t + step % 64];  // @add
  if (t == 0) *out = s[0];
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 32>>>(device(ramp(64)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
