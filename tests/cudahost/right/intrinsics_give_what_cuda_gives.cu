#include "../small.h"
__global__ void check(int* out) {
  bool good = __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4 && __ffs(0) == 0;
  good = good && __brev(1) == 0x80000000 && __byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311;
  good = good && __fmaf_rn(2, 3, 4) == 10 && rsqrtf(4) == 0.5f && __mulhi(1 << 30, 8) == 2 && __umulhi(1u << 31, 4) == 2;
  good = good && __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2 && __float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2;
  good = good && min(3, 5) == 3 && max(2.0f, 1.0f) == 2 && min(7u, 3u) == 3 && __dp4a(0x01020304, 0x01010101, 5) == 15;
  good = good && __funnelshift_l(0x80000000, 1, 1) == 3 && __saturatef(2) == 1 && fmaxf(1, NAN) == 1 && __hadd(3, 4) == 3;
  *out = good;
}
int main() {
  int* out = device(std::vector<int>(1));
  check<<<1, 1>>>(out);
  return verdict(host(out, 1)[0]);
}
