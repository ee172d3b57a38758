// expect: barrier-divergence @one @other
#include "../small.h"
__global__ void branch(float* out) {
  if (threadIdx.x % 2) {
    __syncthreads();  // @one
    out[threadIdx.x] = 1;
  } else {
    __syncthreads();  // @other
    out[threadIdx.x] = 2;
  }
}
int main() {
  branch<<<1, 64>>>(device(std::vector<float>(64)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
