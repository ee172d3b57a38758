// expect: race global @blur @blur
// The data hides it: each thread writes what was there, and the result is right.
#include "../small.h"
__global__ void blur(float* x, int n) {
  int i = threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;  // @blur
}
int main() {
  float* x = device(std::vector<float>(128, 1));
  blur<<<1, 128>>>(x, 128);
  return verdict(host(x, 128)[5] == 1);
}
