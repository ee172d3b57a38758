// expect: out-of-bounds global @dot
#include "../small.h"
__device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__global__ void k(const float4* x, float* out) {
  out[threadIdx.x] = dot(x[threadIdx.x], x[threadIdx.x + 1]);  // @dot
}
int main() {
  float4* x = device(std::vector<float4>(32));
  k<<<1, 32>>>(x, device(std::vector<float>(32)));
  return cudaDeviceSynchronize() != cudaSuccess;
}
