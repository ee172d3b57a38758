// The read before the loop is a guess that the swap checks.
#include "../small.h"
__device__ double add(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, (unsigned long long)__double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void sum(double* out) { add(out, threadIdx.x); }
int main() {
  double* out = device(std::vector<double>(1));
  sum<<<4, 64>>>(out);
  return verdict(host(out, 1)[0] == 4 * 64 * 63 / 2);
}
