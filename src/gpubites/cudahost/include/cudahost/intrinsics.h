// Device functions of arithmetic. fp32 intrinsics are the plain function here: bit patterns of fast math are not reproduced.
#pragma once
#include "language.h"

#ifndef CUDART_INF_F
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_INF __builtin_inf()
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#endif

#define CUDAHOST_MIN_MAX(A, B, R)                                                                        \
  CUDAHOST_CALL R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                    \
  CUDAHOST_CALL R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
CUDAHOST_MIN_MAX(int, int, int)
CUDAHOST_MIN_MAX(unsigned, unsigned, unsigned)
CUDAHOST_MIN_MAX(int, unsigned, unsigned)
CUDAHOST_MIN_MAX(unsigned, int, unsigned)
CUDAHOST_MIN_MAX(long, long, long)
CUDAHOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUDAHOST_MIN_MAX(long long, long long, long long)
CUDAHOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
#undef CUDAHOST_MIN_MAX
#define CUDAHOST_MIN_MAX(A, B, R, low, high)                                \
  CUDAHOST_CALL R min(A a, B b) { return low((R)a, (R)b); }                 \
  CUDAHOST_CALL R max(A a, B b) { return high((R)a, (R)b); }
CUDAHOST_MIN_MAX(float, float, float, fminf, fmaxf)
CUDAHOST_MIN_MAX(double, double, double, fmin, fmax)
CUDAHOST_MIN_MAX(float, double, double, fmin, fmax)
CUDAHOST_MIN_MAX(double, float, double, fmin, fmax)
#undef CUDAHOST_MIN_MAX

CUDAHOST_CALL int __popc(unsigned x) { return __builtin_popcount(x); }
CUDAHOST_CALL int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDAHOST_CALL int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
CUDAHOST_CALL int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
CUDAHOST_CALL int __ffs(int x) { return __builtin_ffs(x); }
CUDAHOST_CALL int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDAHOST_CALL unsigned long long __brevll(unsigned long long x) {
  unsigned long long reversed = 0;
  for (int bit = 0; bit < 64; ++bit) reversed |= (x >> bit & 1) << (63 - bit);
  return reversed;
}
CUDAHOST_CALL unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
CUDAHOST_CALL unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned long long bytes = (unsigned long long)y << 32 | x;
  unsigned picked = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned nibble = selector >> 4 * i & 15, byte = unsigned(bytes >> 8 * (nibble & 7)) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;  // replicates the sign
    picked |= byte << 8 * i;
  }
  return picked;
}
CUDAHOST_CALL unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
CUDAHOST_CALL unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}
CUDAHOST_CALL int __mul24(int a, int b) { return int((long long)(a << 8 >> 8) * (b << 8 >> 8)); }
CUDAHOST_CALL unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
CUDAHOST_CALL int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
CUDAHOST_CALL unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
CUDAHOST_CALL unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
CUDAHOST_CALL int __sad(int a, int b, unsigned c) { return int((a < b ? unsigned(b) - a : unsigned(a) - b) + c); }
CUDAHOST_CALL unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
CUDAHOST_CALL int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += int((signed char)(a >> 8 * i)) * int((signed char)(b >> 8 * i));
  return c;
}
CUDAHOST_CALL unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
  return c;
}
CUDAHOST_CALL int __hadd(int a, int b) { return int(((long long)a + b) >> 1); }
CUDAHOST_CALL int __rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }

template <class To, class From>
CUDAHOST_CALL To cudahost_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
CUDAHOST_CALL int __float_as_int(float x) { return cudahost_bits<int>(x); }
CUDAHOST_CALL unsigned __float_as_uint(float x) { return cudahost_bits<unsigned>(x); }
CUDAHOST_CALL float __int_as_float(int x) { return cudahost_bits<float>(x); }
CUDAHOST_CALL float __uint_as_float(unsigned x) { return cudahost_bits<float>(x); }
CUDAHOST_CALL long long __double_as_longlong(double x) { return cudahost_bits<long long>(x); }
CUDAHOST_CALL double __longlong_as_double(long long x) { return cudahost_bits<double>(x); }
CUDAHOST_CALL int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
CUDAHOST_CALL int __double2loint(double x) { return int(__double_as_longlong(x)); }
CUDAHOST_CALL double __hiloint2double(int high, int low) { return __longlong_as_double((long long)high << 32 | unsigned(low)); }

CUDAHOST_CALL float __int2float_rn(int x) { return float(x); }
CUDAHOST_CALL float __uint2float_rn(unsigned x) { return float(x); }
CUDAHOST_CALL float __double2float_rn(double x) { return float(x); }

CUDAHOST_CALL float __fadd_rn(float a, float b) { return a + b; }
CUDAHOST_CALL float __fsub_rn(float a, float b) { return a - b; }
CUDAHOST_CALL float __fmul_rn(float a, float b) { return a * b; }
CUDAHOST_CALL float __fdiv_rn(float a, float b) { return a / b; }
CUDAHOST_CALL float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
CUDAHOST_CALL float __fsqrt_rn(float x) { return sqrtf(x); }
CUDAHOST_CALL float __frcp_rn(float x) { return 1 / x; }
CUDAHOST_CALL float __frsqrt_rn(float x) { return float(1 / sqrt(double(x))); }
CUDAHOST_CALL double __dadd_rn(double a, double b) { return a + b; }
CUDAHOST_CALL double __dmul_rn(double a, double b) { return a * b; }
CUDAHOST_CALL double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
CUDAHOST_CALL double __ddiv_rn(double a, double b) { return a / b; }
CUDAHOST_CALL double __dsqrt_rn(double x) { return sqrt(x); }
CUDAHOST_CALL float __fdividef(float a, float b) { return a / b; }
CUDAHOST_CALL float __expf(float x) { return expf(x); }
CUDAHOST_CALL float __exp10f(float x) { return powf(10, x); }
CUDAHOST_CALL float __logf(float x) { return logf(x); }
CUDAHOST_CALL float __log2f(float x) { return log2f(x); }
CUDAHOST_CALL float __log10f(float x) { return log10f(x); }
CUDAHOST_CALL float __powf(float x, float y) { return powf(x, y); }
CUDAHOST_CALL float __sinf(float x) { return sinf(x); }
CUDAHOST_CALL float __cosf(float x) { return cosf(x); }
CUDAHOST_CALL float __tanf(float x) { return tanf(x); }
CUDAHOST_CALL void __sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
CUDAHOST_CALL float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
CUDAHOST_CALL float rsqrtf(float x) { return float(1 / sqrt(double(x))); }
CUDAHOST_CALL double rsqrt(double x) { return 1 / sqrt(x); }
CUDAHOST_CALL float rsqrt(float x) { return rsqrtf(x); }
CUDAHOST_CALL float rcbrtf(float x) { return 1 / cbrtf(x); }
CUDAHOST_CALL double rcbrt(double x) { return 1 / cbrt(x); }
CUDAHOST_CALL float sinpif(float x) { return float(sin(M_PI * x)); }
CUDAHOST_CALL float cospif(float x) { return float(cos(M_PI * x)); }
CUDAHOST_CALL double sinpi(double x) { return sin(M_PI * x); }
CUDAHOST_CALL double cospi(double x) { return cos(M_PI * x); }
CUDAHOST_CALL float norm3df(float x, float y, float z) { return float(sqrt(double(x) * x + double(y) * y + double(z) * z)); }
CUDAHOST_CALL float rnorm3df(float x, float y, float z) { return float(1 / sqrt(double(x) * x + double(y) * y + double(z) * z)); }
CUDAHOST_CALL float normcdff(float x) { return float(0.5 * erfc(-double(x) * M_SQRT1_2)); }
CUDAHOST_CALL double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }

// The other three roundings: each operation done in that mode of the processor.
#define CUDAHOST_ROUNDED(T, name, arguments)                                                                      \
  T name##_rz arguments;                                                                                          \
  T name##_rd arguments;                                                                                          \
  T name##_ru arguments;
CUDAHOST_ROUNDED(float, __fadd, (float a, float b)) CUDAHOST_ROUNDED(float, __fsub, (float a, float b)) CUDAHOST_ROUNDED(float, __fmul, (float a, float b))
CUDAHOST_ROUNDED(float, __fdiv, (float a, float b)) CUDAHOST_ROUNDED(float, __fmaf, (float a, float b, float c)) CUDAHOST_ROUNDED(float, __fsqrt, (float a))
CUDAHOST_ROUNDED(float, __frcp, (float a))
CUDAHOST_ROUNDED(double, __dadd, (double a, double b)) CUDAHOST_ROUNDED(double, __dsub, (double a, double b)) CUDAHOST_ROUNDED(double, __dmul, (double a, double b))
CUDAHOST_ROUNDED(double, __ddiv, (double a, double b)) CUDAHOST_ROUNDED(double, __fma, (double a, double b, double c)) CUDAHOST_ROUNDED(double, __dsqrt, (double a))
CUDAHOST_CALL double __dsub_rn(double a, double b) { return a - b; }

// From floating point to whole numbers in four roundings, and exactly or rounded to nearest the other way.
#define CUDAHOST_TO_WHOLE(From, from, To, to)                                                                     \
  CUDAHOST_CALL To __##from##2##to##_rn(From x) { return static_cast<To>(rint(double(x))); }                                   \
  CUDAHOST_CALL To __##from##2##to##_rz(From x) { return static_cast<To>(trunc(double(x))); }                                  \
  CUDAHOST_CALL To __##from##2##to##_rd(From x) { return static_cast<To>(floor(double(x))); }                                  \
  CUDAHOST_CALL To __##from##2##to##_ru(From x) { return static_cast<To>(ceil(double(x))); }
CUDAHOST_TO_WHOLE(float, float, int, int) CUDAHOST_TO_WHOLE(float, float, unsigned, uint)
CUDAHOST_TO_WHOLE(float, float, long long, ll) CUDAHOST_TO_WHOLE(float, float, unsigned long long, ull)
CUDAHOST_TO_WHOLE(double, double, int, int) CUDAHOST_TO_WHOLE(double, double, unsigned, uint)
CUDAHOST_TO_WHOLE(double, double, long long, ll) CUDAHOST_TO_WHOLE(double, double, unsigned long long, ull)
#undef CUDAHOST_TO_WHOLE
CUDAHOST_CALL float __ll2float_rn(long long x) { return float(x); }
CUDAHOST_CALL float __ull2float_rn(unsigned long long x) { return float(x); }
CUDAHOST_CALL double __int2double_rn(int x) { return double(x); }
CUDAHOST_CALL double __uint2double_rn(unsigned x) { return double(x); }
CUDAHOST_CALL double __ll2double_rn(long long x) { return double(x); }
CUDAHOST_CALL double __ull2double_rn(unsigned long long x) { return double(x); }

CUDAHOST_CALL unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? low : __funnelshift_l(low, high, shift); }
CUDAHOST_CALL unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) { return shift >= 32 ? high : __funnelshift_r(low, high, shift); }
CUDAHOST_CALL unsigned __uhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b) >> 1); }
CUDAHOST_CALL unsigned __urhadd(unsigned a, unsigned b) { return unsigned(((unsigned long long)a + b + 1) >> 1); }
CUDAHOST_CALL long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
// The place of the nth set bit from `base` on, upwards or downwards; all ones where there is none.
CUDAHOST_CALL unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
  int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int bit = int(base); bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0) return unsigned(bit);
  return 0xffffffffu;
}

// Loads and stores with a cache hint are loads and stores.
template <class T> CUDAHOST_CALL T __ldg(const T* p) { return *p; }
template <class T> CUDAHOST_CALL T __ldca(const T* p) { return *p; }
template <class T> CUDAHOST_CALL T __ldcg(const T* p) { return *p; }
template <class T> CUDAHOST_CALL T __ldcs(const T* p) { return *p; }
template <class T> CUDAHOST_CALL T __ldlu(const T* p) { return *p; }
template <class T> CUDAHOST_CALL T __ldcv(const T* p) { return *const_cast<const volatile T*>(p); }
template <class T> CUDAHOST_CALL void __stcg(T* p, T v) { *p = v; }
template <class T> CUDAHOST_CALL void __stcs(T* p, T v) { *p = v; }
template <class T> CUDAHOST_CALL void __stwb(T* p, T v) { *p = v; }
template <class T> CUDAHOST_CALL void __stwt(T* p, T v) { *p = v; }
