// expect: uninitialized shared @read
#include <cuda_pipeline.h>
#include "../small.h"
__global__ void copy(const float* x, float* out) {
  __shared__ float tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float));
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];  // @read
}
int main() {
  copy<<<1, 32>>>(device(ramp(32)), device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
