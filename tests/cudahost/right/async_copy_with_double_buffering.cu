#include <cuda_pipeline.h>
#include "../small.h"
__global__ void walk(const float* x, float* out, int steps) {
  __shared__ float tiles[2][64];
  int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&tiles[0][t], &x[t], sizeof(float));
  __pipeline_commit();
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) __pipeline_memcpy_async(&tiles[(step + 1) % 2][t], &x[(step + 1) * 64 + t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tiles[step % 2][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
int main() {
  float* out = device(std::vector<float>(64));
  walk<<<1, 64>>>(device(ramp(256)), out, 4);
  float expected = 0;
  for (int step = 0; step < 4; ++step) expected += (step * 64 + 63) % 17;
  return verdict(host(out, 64)[0] == expected);
}
