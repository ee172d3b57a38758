#include "../small.h"
__global__ void check(int* out) {
  bool good = __popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4 && __ffs(0) == 0;
  good = good && __brev(1) == 0x80000000 && __byte_perm(0x33221100, 0x77665544, 0x7531) == 0x77553311;
  good = good && __fmaf_rn(2, 3, 4) == 10 && rsqrtf(4) == 0.5f && __mulhi(1 << 30, 8) == 2 && __umulhi(1u << 31, 4) == 2;
  good = good && __float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2 && __float2int_rn(2.5f) == 2 && __float2int_rz(-2.7f) == -2;
  good = good && min(3, 5) == 3 && max(2.0f, 1.0f) == 2 && min(7u, 3u) == 3 && __dp4a(0x01020304, 0x01010101, 5) == 15;
  good = good && __funnelshift_l(0x80000000, 1, 1) == 3 && __saturatef(2) == 1 && fmaxf(1, NAN) == 1 && __hadd(3, 4) == 3;
  good = good && __fadd_rz(1, 0x1p-30f) == 1 && __fadd_ru(1, 0x1p-30f) > 1 && __fadd_rd(1, -0x1p-30f) < 1 && __fmaf_rz(-1, 1, 0x1p-30f) > -1;
  good = good && __float2int_rd(-1.5f) == -2 && __double2ll_ru(1e10 + 0.5) == 10000000001 && __uhadd(~0u, ~0u) == ~0u && __fns(0x16, 0, 2) == 2;
  good = good && __funnelshift_rc(1, 5, 32) == 5 && __fns(0x16, 3, -1) == 2 && __fns(1, 1, 1) == ~0u;
  *out = good;
}
int main() {
  int* out = device(std::vector<int>(1));
  check<<<1, 1>>>(out);
  return verdict(host(out, 1)[0]);
}
