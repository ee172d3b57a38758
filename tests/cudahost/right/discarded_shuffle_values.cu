// note: the value is undefined
// Sixteen lanes sum up; those at the end read beyond the mask, and nobody uses what they get.
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  if (threadIdx.x < 16) {
    float v = x[threadIdx.x];
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffff, v, d);
    if (threadIdx.x == 0) *out = v;
  } else {
    out[threadIdx.x] = 0;
  }
}
int main() {
  float* out = device(std::vector<float>(32));
  sum<<<1, 32>>>(device(ramp(32)), out);
  return verdict(host(out, 1)[0] == 120);
}
