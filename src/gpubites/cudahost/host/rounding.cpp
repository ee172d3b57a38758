// Arithmetic that rounds toward zero, down or up.
#include <cfenv>

#include "host.h"

namespace {

// The operands are volatile, so that nothing is computed before the mode is set or after it is put back.
template <class T, class Operation>
T rounded(int mode, Operation operation) {
  int before = fegetround();
  fesetround(mode);
  volatile T result = operation();
  fesetround(before);
  return result;
}

}  // namespace

#define ROUNDED(T, name, parameters, expression)                                                   \
  T name##_rz parameters { return rounded<T>(FE_TOWARDZERO, [&]() -> T { return expression; }); }  \
  T name##_rd parameters { return rounded<T>(FE_DOWNWARD, [&]() -> T { return expression; }); }    \
  T name##_ru parameters { return rounded<T>(FE_UPWARD, [&]() -> T { return expression; }); }
#define V(T, x) (*static_cast<volatile T*>(&x))
ROUNDED(float, __fadd, (float a, float b), V(float, a) + V(float, b))
ROUNDED(float, __fsub, (float a, float b), V(float, a) - V(float, b))
ROUNDED(float, __fmul, (float a, float b), V(float, a) * V(float, b))
ROUNDED(float, __fdiv, (float a, float b), V(float, a) / V(float, b))
ROUNDED(float, __fmaf, (float a, float b, float c), fmaf(V(float, a), V(float, b), V(float, c)))
ROUNDED(float, __fsqrt, (float a), sqrtf(V(float, a)))
ROUNDED(float, __frcp, (float a), 1.0f / V(float, a))
ROUNDED(double, __dadd, (double a, double b), V(double, a) + V(double, b))
ROUNDED(double, __dsub, (double a, double b), V(double, a) - V(double, b))
ROUNDED(double, __dmul, (double a, double b), V(double, a) * V(double, b))
ROUNDED(double, __ddiv, (double a, double b), V(double, a) / V(double, b))
ROUNDED(double, __fma, (double a, double b, double c), fma(V(double, a), V(double, b), V(double, c)))
ROUNDED(double, __dsqrt, (double a), sqrt(V(double, a)))
