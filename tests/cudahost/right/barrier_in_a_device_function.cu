#include "../small.h"
__device__ float exchange(float* s, float v) {
  s[threadIdx.x] = v;
  __syncthreads();
  float other = s[threadIdx.x ^ 32];
  __syncthreads();
  return other;
}
__global__ void twice(float* out) {
  __shared__ float s[64];
  out[threadIdx.x] = exchange(s, exchange(s, threadIdx.x));
}
int main() {
  float* out = device(std::vector<float>(64));
  twice<<<1, 64>>>(out);
  return verdict(host(out, 64)[7] == 7);
}
