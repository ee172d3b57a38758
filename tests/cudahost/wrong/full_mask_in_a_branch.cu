// expect: warp-mask @shuffle
#include "../small.h"
__global__ void branch(float* out) {
  float v = threadIdx.x;
  if (threadIdx.x < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);  // @shuffle
    out[threadIdx.x] = v;
  }
}
int main() {
  branch<<<1, 32>>>(device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
