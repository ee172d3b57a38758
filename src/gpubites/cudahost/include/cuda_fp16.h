// half and half2. Every operation is done in fp32 and rounded once, to nearest even, as the hardware does.
#pragma once
#include "cuda_runtime.h"

namespace cudahost {
CUDAHOST_PLAIN inline unsigned short half_bits(float f) {
  unsigned x = cudahost_bits<unsigned>(f), sign = x >> 16 & 0x8000, mantissa = x & 0x7fffff;
  int exponent = int(x >> 23 & 255) - 112;
  auto rounded = [](unsigned kept, unsigned rest, unsigned middle) { return kept + (rest > middle || (rest == middle && kept & 1)); };
  if ((x >> 23 & 255) == 255) return (unsigned short)(sign | (mantissa ? 0x7fff : 0x7c00));
  if (exponent >= 31) return (unsigned short)(sign | 0x7c00);
  if (exponent < -10) return (unsigned short)sign;
  if (exponent <= 0) {
    mantissa |= 0x800000;
    int shift = 14 - exponent;
    return (unsigned short)(sign | rounded(mantissa >> shift, mantissa & ((1u << shift) - 1), 1u << (shift - 1)));
  }
  return (unsigned short)(sign | rounded(unsigned(exponent) << 10 | mantissa >> 13, mantissa & 0x1fff, 0x1000));
}
CUDAHOST_PLAIN inline float half_value(unsigned short h) {
  unsigned sign = (h & 0x8000u) << 16, exponent = h >> 10 & 31, mantissa = h & 0x3ff;
  if (exponent == 31) return cudahost_bits<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent) return cudahost_bits<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float small = float(mantissa) * 0x1p-24f;
  return sign ? -small : small;
}
}  // namespace cudahost

struct alignas(2) __half {
  unsigned short bits;
  __half() = default;
  CUDAHOST_CALL __half(float x) : bits(cudahost::half_bits(x)) {}
  CUDAHOST_CALL __half(double x) : bits(cudahost::half_bits(float(x))) {}
  CUDAHOST_CALL __half(int x) : bits(cudahost::half_bits(float(x))) {}
  CUDAHOST_CALL __half(unsigned x) : bits(cudahost::half_bits(float(x))) {}
  CUDAHOST_CALL operator float() const { return cudahost::half_value(bits); }
  template <class T> CUDAHOST_CALL __half& operator+=(T o) { return *this = __half(float(*this) + float(o)); }
  template <class T> CUDAHOST_CALL __half& operator-=(T o) { return *this = __half(float(*this) - float(o)); }
  template <class T> CUDAHOST_CALL __half& operator*=(T o) { return *this = __half(float(*this) * float(o)); }
  template <class T> CUDAHOST_CALL __half& operator/=(T o) { return *this = __half(float(*this) / float(o)); }
};
struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  CUDAHOST_CALL __half2(__half x, __half y) : x(x), y(y) {}
};
using half = __half;
using half2 = __half2;

#define CUDAHOST_HALF(op)                                                                        \
  CUDAHOST_CALL half operator op(half a, half b) { return half(float(a) op float(b)); }          \
  CUDAHOST_CALL half2 operator op(half2 a, half2 b) { return half2(a.x op b.x, a.y op b.y); }
CUDAHOST_HALF(+) CUDAHOST_HALF(-) CUDAHOST_HALF(*) CUDAHOST_HALF(/)
#undef CUDAHOST_HALF
CUDAHOST_CALL half operator-(half a) { return half(-float(a)); }

CUDAHOST_CALL half __float2half(float x) { return half(x); }
CUDAHOST_CALL half __float2half_rn(float x) { return half(x); }
CUDAHOST_CALL half __double2half(double x) { return half(float(x)); }
CUDAHOST_CALL float __half2float(half x) { return float(x); }
CUDAHOST_CALL half __int2half_rn(int x) { return half(float(x)); }
CUDAHOST_CALL int __half2int_rn(half x) { return int(rintf(float(x))); }
CUDAHOST_CALL int __half2int_rz(half x) { return int(float(x)); }
CUDAHOST_CALL half __ushort_as_half(unsigned short x) { return cudahost_bits<half>(x); }
CUDAHOST_CALL half __short_as_half(short x) { return cudahost_bits<half>(x); }
CUDAHOST_CALL unsigned short __half_as_ushort(half x) { return x.bits; }
CUDAHOST_CALL short __half_as_short(half x) { return short(x.bits); }
CUDAHOST_CALL half2 make_half2(half x, half y) { return half2(x, y); }
CUDAHOST_CALL half2 __halves2half2(half x, half y) { return half2(x, y); }
CUDAHOST_CALL half2 __half2half2(half x) { return half2(x, x); }
CUDAHOST_CALL half2 __float2half2_rn(float x) { return half2(half(x), half(x)); }
CUDAHOST_CALL half2 __floats2half2_rn(float x, float y) { return half2(half(x), half(y)); }
CUDAHOST_CALL half2 __float22half2_rn(float2 v) { return half2(half(v.x), half(v.y)); }
CUDAHOST_CALL float2 __half22float2(half2 v) { return make_float2(float(v.x), float(v.y)); }
CUDAHOST_CALL half __low2half(half2 v) { return v.x; }
CUDAHOST_CALL half __high2half(half2 v) { return v.y; }
CUDAHOST_CALL float __low2float(half2 v) { return float(v.x); }
CUDAHOST_CALL float __high2float(half2 v) { return float(v.y); }

#define CUDAHOST_HALF(name, expression)                                              \
  CUDAHOST_CALL half name(half a, half b) { return half(expression); }
#define CUDAHOST_HALF2(name, one)                                                    \
  CUDAHOST_CALL half2 name(half2 a, half2 b) { return half2(one(a.x, b.x), one(a.y, b.y)); }
CUDAHOST_HALF(__hadd, float(a) + float(b)) CUDAHOST_HALF2(__hadd2, __hadd)
CUDAHOST_HALF(__hsub, float(a) - float(b)) CUDAHOST_HALF2(__hsub2, __hsub)
CUDAHOST_HALF(__hmul, float(a) * float(b)) CUDAHOST_HALF2(__hmul2, __hmul)
CUDAHOST_HALF(__hdiv, float(a) / float(b)) CUDAHOST_HALF2(__h2div, __hdiv)
CUDAHOST_HALF(__hmax, fmaxf(float(a), float(b))) CUDAHOST_HALF2(__hmax2, __hmax)
CUDAHOST_HALF(__hmin, fminf(float(a), float(b))) CUDAHOST_HALF2(__hmin2, __hmin)
#undef CUDAHOST_HALF
#undef CUDAHOST_HALF2
// One rounding: the product of two halves and the sum fit a double.
CUDAHOST_CALL half __hfma(half a, half b, half c) { return half(float(double(float(a)) * double(float(b)) + double(float(c)))); }
CUDAHOST_CALL half2 __hfma2(half2 a, half2 b, half2 c) { return half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
CUDAHOST_CALL half __hneg(half a) { return -a; }
CUDAHOST_CALL half2 __hneg2(half2 a) { return half2(-a.x, -a.y); }
CUDAHOST_CALL half __habs(half a) { return half(fabsf(float(a))); }
CUDAHOST_CALL half2 __habs2(half2 a) { return half2(__habs(a.x), __habs(a.y)); }
#define CUDAHOST_HALF(name, op) \
  CUDAHOST_CALL bool name(half a, half b) { return float(a) op float(b); }
CUDAHOST_HALF(__heq, ==) CUDAHOST_HALF(__hne, !=) CUDAHOST_HALF(__hlt, <) CUDAHOST_HALF(__hle, <=) CUDAHOST_HALF(__hgt, >) CUDAHOST_HALF(__hge, >=)
#undef CUDAHOST_HALF
CUDAHOST_CALL bool __hisnan(half a) { return isnan(float(a)); }
CUDAHOST_CALL bool __hisinf(half a) { return isinf(float(a)); }
#define CUDAHOST_HALF(name, f)                                       \
  CUDAHOST_CALL half h##name(half a) { return half(f(float(a))); }   \
  CUDAHOST_CALL half2 h2##name(half2 a) { return half2(h##name(a.x), h##name(a.y)); }
CUDAHOST_HALF(exp, expf) CUDAHOST_HALF(log, logf) CUDAHOST_HALF(sqrt, sqrtf) CUDAHOST_HALF(rsqrt, rsqrtf) CUDAHOST_HALF(sin, sinf)
CUDAHOST_HALF(cos, cosf) CUDAHOST_HALF(exp2, exp2f) CUDAHOST_HALF(log2, log2f) CUDAHOST_HALF(rcp, 1 / float)
#undef CUDAHOST_HALF
CUDAHOST_CALL half atomicAdd(half* address, half value) {
  return cudahost::atomically(address, cudahost::Scope::device, [=](half old) CUDAHOST_STEP { return half(float(old) + float(value)); });
}
CUDAHOST_CALL half2 atomicAdd(half2* address, half2 value) {
  return cudahost::atomically(address, cudahost::Scope::device, [=](half2 old) CUDAHOST_STEP { return half2(old.x + value.x, old.y + value.y); });
}
