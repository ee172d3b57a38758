// expect: uninitialized shared @count
#include "../small.h"
__global__ void count(int* out) {
  __shared__ int n;
  atomicAdd(&n, 1);  // @count
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}
int main() {
  count<<<1, 32>>>(device(std::vector<int>(1)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
