#include "../small.h"
__global__ void any_negative(const float* x, int* found) {
  if (x[threadIdx.x] < 0) *found = 1;  // cudahost: same-value
}
int main() {
  auto x = ramp(64);
  x[5] = x[50] = -1;
  int* found = device(std::vector<int>(1));
  any_negative<<<1, 64>>>(device(x), found);
  return verdict(host(found, 1)[0] == 1);
}
