// Functions that take and return structs: what the calls load and store is seen as any other access.
#include "../small.h"
struct Matrix { float m[6]; };
__device__ float4 plus(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ Matrix filled(float v) {
  Matrix all;
  for (int i = 0; i < 6; ++i) all.m[i] = v;
  return all;
}
__global__ void k(float4* x) {
  __shared__ float4 s[8];
  __shared__ Matrix matrices[8];
  unsigned t = threadIdx.x;
  matrices[t] = filled(t);
  s[t] = make_float4(1, 2, 3, 4);
  __syncthreads();
  s[t] = plus(s[t], x[t]);
  __syncthreads();
  x[t] = plus(s[7 - t], make_float4(matrices[7 - t].m[5], 0, 0, 0));
}
int main() {
  float4* x = device(std::vector<float4>(8));
  k<<<1, 8>>>(x);
  std::vector<float4> result = host(x, 8);
  return verdict(result[0].x == 8 && result[7].w == 4);
}
