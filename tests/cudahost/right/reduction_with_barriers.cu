#include "../small.h"
__global__ void sum(const float* x, float* out, int n) {
  __shared__ float part[256];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<4, 256>>>(device(ramp(1000)), out, 1000);
  double expected = 0;
  for (float v : ramp(1000)) expected += v;
  return verdict(host(out, 1)[0] == expected);
}
