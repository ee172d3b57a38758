// Every thread loads its own element; the halo's elements come from nobody in time.
// expect: race shared @load @blur
#include "../small.h"
__global__ void blur(const float* x, float* out, int n) {
  __shared__ float tile[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  tile[threadIdx.x + 1] = x[i];  // @load
  if (threadIdx.x == 0) tile[0] = i ? x[i - 1] : 0;
  if (threadIdx.x == 127) tile[129] = i + 1 < n ? x[i + 1] : 0;
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // @blur
}
int main() {
  float* out = device(std::vector<float>(256));
  blur<<<2, 128>>>(device(ramp(256)), out, 256);
  return cudaDeviceSynchronize() != cudaSuccess;
}
