#include "../small.h"
__global__ void histogram(const float* x, int n, int* out) {
  __shared__ int bins[17];
  for (int b = threadIdx.x; b < 17; b += blockDim.x) bins[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[int(x[i])], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 17; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}
int main() {
  int* out = device(std::vector<int>(17));
  histogram<<<3, 64>>>(device(ramp(1700)), 1700, out);
  bool good = true;
  for (int b = 0; b < 17; ++b) good &= host(out, 17)[b] == 100;
  return verdict(good);
}
