// What one block left in shared memory is not there for the next.
// expect: uninitialized shared @read
#include "../small.h"
__global__ void keep(float* out) {
  __shared__ float kept;
  if (blockIdx.x == 0 && threadIdx.x == 0) kept = 1;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = kept;  // @read
}
int main() {
  keep<<<2, 32>>>(device(std::vector<float>(64)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
