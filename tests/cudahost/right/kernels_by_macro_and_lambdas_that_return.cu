// A kernel whose `__global__` is in a macro, with threads that leave early; `return` in a lambda leaves the lambda alone.
// note: threads had returned before the __syncthreads()
#include "../small.h"
#define KERNEL(name) extern "C" __global__ void name
KERNEL(half_of_it)(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  auto put = [&](int v) {
    if (v % 2) return;
    s[v] = v;
  };
  s[i] = 1;
  put(i);
  if (i >= n) return;
  __syncthreads();
  x[i] = s[n - 1 - i];
}
int main() {
  int* x = device(std::vector<int>(64));
  half_of_it<<<1, 64>>>(x, 48);
  return verdict(host(x, 64)[1] == 46 && host(x, 64)[0] == 1);
}
