// expect: out-of-bounds constant @read
#include "../small.h"
__constant__ float weights[4] = {1, 2, 3, 4};
__global__ void weigh(float* out) {
  out[threadIdx.x] = weights[threadIdx.x];  // @read
}
int main() {
  weigh<<<1, 8>>>(device(std::vector<float>(8)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
