// One half of the warp waits for the block, the other for the first half.
// expect: warp-mask @shuffle @barrier
#include "../small.h"
__global__ void stuck(float* out) {
  float v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_down_sync(0xffffffff, v, 1);  // @shuffle
  else __syncthreads();  // @barrier
  out[threadIdx.x] = v;
}
int main() {
  stuck<<<1, 32>>>(device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
