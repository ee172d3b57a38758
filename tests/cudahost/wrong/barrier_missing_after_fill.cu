// expect: race shared 7 5
#include <cstdio>
__global__ void sum(const float* x, float* out) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) *out += part[i];
}
int main() {
  float *x, *out;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  cudaMemset(out, 0, sizeof(float));
  sum<<<1, 64>>>(x, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
