#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "../small.h"
__global__ void narrow(const float* x, half2* h, __nv_bfloat16* b, int n) {
  int i = threadIdx.x;
  if (i < n) {
    h[i] = __hfma2(__float2half2_rn(x[i]), __float2half2_rn(2.0f), __floats2half2_rn(1.0f, 0.5f));
    b[i] = __float2bfloat16(x[i]) * __float2bfloat16(3.0f);
  }
}
int main() {
  half2* h;
  __nv_bfloat16* b;
  cudaMalloc(&h, 32 * sizeof(half2));
  cudaMalloc(&b, 32 * sizeof(__nv_bfloat16));
  narrow<<<1, 32>>>(device(ramp(32)), h, b, 32);
  auto hh = host(h, 32);
  auto hb = host(b, 32);
  bool good = __low2float(hh[3]) == 7 && __high2float(hh[3]) == 6.5f && __bfloat162float(hb[5]) == 15;
  good &= __half2float(__float2half(65504)) == 65504 && __half2float(__float2half(1e-8f)) == 0 && __half2float(__float2half(2049)) == 2048;
  return verdict(good);
}
