#include <cstdio>
__global__ void sum(const float* x, float* out) {
  __shared__ float part[64];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) *out += part[i];
}
int main() {
  float *x, *out, host[64], result = 0;
  for (int i = 0; i < 64; ++i) host[i] = float(i);
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(float));
  sum<<<1, 64>>>(x, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s %g\n", result == 2016 ? "PASS" : "FAIL", result);
  return result != 2016;
}
