// expect: race shared @add
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1)
    if (t < s) part[t] += part[t + s];  // @add
  if (t == 0) *out = part[0];
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 256>>>(device(ramp(256)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
