// expect: warp-mask @vote
#include "../small.h"
__global__ void vote(unsigned* out) {
  out[threadIdx.x] = __ballot_sync(0x0000ffff, threadIdx.x & 1);  // @vote
}
int main() {
  vote<<<1, 32>>>(device(std::vector<unsigned>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
