// expect: warp-mask @sync
#include "../small.h"
__global__ void differ(float* out) {
  __syncwarp(threadIdx.x < 8 ? 0xffffffff : 0xffffff00);  // @sync
  out[threadIdx.x] = 1;
}
int main() {
  differ<<<1, 32>>>(device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
