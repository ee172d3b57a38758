// expect: race shared @bin
#include "../small.h"
__global__ void histogram(const float* x, int* out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  bins[int(x[threadIdx.x]) % 4]++;  // @bin
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
int main() {
  int* out = device(std::vector<int>(4));
  histogram<<<1, 128>>>(device(ramp(128)), out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
