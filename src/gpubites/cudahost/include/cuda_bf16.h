// bfloat16: the upper half of a float, rounded to nearest even.
#pragma once
#include "cuda_runtime.h"

namespace cudahost {
CUDAHOST_PLAIN inline unsigned short bfloat_bits(float f) {
  unsigned x = cudahost_bits<unsigned>(f);
  if ((x & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return (unsigned short)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}
}  // namespace cudahost

struct alignas(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  CUDAHOST_CALL __nv_bfloat16(float x) : bits(cudahost::bfloat_bits(x)) {}
  CUDAHOST_CALL __nv_bfloat16(double x) : bits(cudahost::bfloat_bits(float(x))) {}
  CUDAHOST_CALL __nv_bfloat16(int x) : bits(cudahost::bfloat_bits(float(x))) {}
  CUDAHOST_CALL operator float() const { return cudahost_bits<float>(unsigned(bits) << 16); }
  template <class T> CUDAHOST_CALL __nv_bfloat16& operator+=(T o) { return *this = __nv_bfloat16(float(*this) + float(o)); }
  template <class T> CUDAHOST_CALL __nv_bfloat16& operator*=(T o) { return *this = __nv_bfloat16(float(*this) * float(o)); }
};
struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  CUDAHOST_CALL __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDAHOST_BFLOAT(op)                                                                                             \
  CUDAHOST_CALL __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(a) op float(b)); }
CUDAHOST_BFLOAT(+) CUDAHOST_BFLOAT(-) CUDAHOST_BFLOAT(*) CUDAHOST_BFLOAT(/)
#undef CUDAHOST_BFLOAT
CUDAHOST_CALL __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16(-float(a)); }
CUDAHOST_CALL __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
CUDAHOST_CALL __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
CUDAHOST_CALL float __bfloat162float(__nv_bfloat16 x) { return float(x); }
CUDAHOST_CALL __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y)); }
CUDAHOST_CALL __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
CUDAHOST_CALL float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2(float(v.x), float(v.y)); }
CUDAHOST_CALL __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
CUDAHOST_CALL __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
CUDAHOST_CALL __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nv_bfloat16(float(double(float(a)) * double(float(b)) + double(float(c)))); }
#define CUDAHOST_BFLOAT(name, expression)                                                                                \
  CUDAHOST_CALL __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(float(expression)); }        \
  CUDAHOST_CALL __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y)); }
CUDAHOST_BFLOAT(__hsub, float(a) - float(b)) CUDAHOST_BFLOAT(__hmax, fmaxf(float(a), float(b))) CUDAHOST_BFLOAT(__hmin, fminf(float(a), float(b)))
#undef CUDAHOST_BFLOAT
CUDAHOST_CALL __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
CUDAHOST_CALL __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x + b.x, a.y + b.y); }
CUDAHOST_CALL __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x * b.x, a.y * b.y); }
CUDAHOST_CALL __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
CUDAHOST_CALL __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __hadd2(a, b); }
CUDAHOST_CALL __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __hmul2(a, b); }
CUDAHOST_CALL __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162(x, x); }
CUDAHOST_CALL __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x)); }
CUDAHOST_CALL __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)); }
CUDAHOST_CALL __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
CUDAHOST_CALL __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
CUDAHOST_CALL unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
CUDAHOST_CALL __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return cudahost_bits<__nv_bfloat16>(x); }
CUDAHOST_CALL __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return cudahost::atomically(address, cudahost::Scope::device, [=](__nv_bfloat16 old) CUDAHOST_STEP { return __nv_bfloat16(float(old) + float(value)); });
}
CUDAHOST_CALL __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  return cudahost::atomically(address, cudahost::Scope::device, [=](__nv_bfloat162 old) CUDAHOST_STEP { return __nv_bfloat162(old.x + value.x, old.y + value.y); });
}
