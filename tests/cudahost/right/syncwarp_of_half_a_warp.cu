#include "../small.h"
__global__ void swap_in_halves(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(threadIdx.x < 16 ? 0x0000ffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 15];
}
int main() {
  float* out = device(std::vector<float>(32));
  swap_in_halves<<<1, 32>>>(out);
  return verdict(host(out, 32)[0] == 15 && host(out, 32)[31] == 16);
}
