// A block of 40 threads: the second warp has 8, and its mask says so.
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  unsigned mask = __ballot_sync(threadIdx.x < 32 ? 0xffffffff : 0xff, 1);
  float v = x[threadIdx.x];
  int width = __popc(mask);
  for (int d = width / 2; d > 0; d /= 2) v += __shfl_down_sync(mask, v, d, width);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 40>>>(device(ramp(40)), out);
  float expected = 0;
  for (float v : ramp(40)) expected += v;
  return verdict(host(out, 1)[0] == expected);
}
