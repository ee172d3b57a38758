// The block has 40 threads, so the second warp has 8: the sum takes in values of lanes that are not there.
// expect: warp-mask @shuffle
#include "../small.h"
__global__ void sum(const float* x, float* out) {
  float v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);  // @shuffle
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 40>>>(device(ramp(40)), out);
  return host(out, 1)[0] < 0;
}
