// The ticket says that all blocks are done, but without a fence not that their sums are visible.
// expect: race global @partial @read
#include "../small.h"
__device__ unsigned tickets = 0;
__global__ void sum(const float* x, float* partial, float* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x];  // @partial
    last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < gridDim.x; ++i) all += partial[i];  // @read
    *out = all;
  }
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<8, 32>>>(device(ramp(8)), device(std::vector<float>(8)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
