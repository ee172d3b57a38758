#include "../small.h"
__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
int main() {
  float* y = device(ramp(1000));
  saxpy<<<3, 64>>>(1000, 2, device(ramp(1000)), y);
  bool good = true;
  for (int i = 0; i < 1000; ++i) good &= host(y, 1000)[i] == 3.0f * (i % 17);
  return verdict(good && cudaGetLastError() == cudaSuccess);
}
