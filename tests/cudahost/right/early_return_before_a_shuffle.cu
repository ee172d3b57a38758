// Exited lanes do not take part, and their values are not read: broadcast comes from lane 0.
#include "../small.h"
__global__ void guard(float* out, int n) {
  if (threadIdx.x >= n) return;
  out[threadIdx.x] = __shfl_sync(0xffffffff, float(threadIdx.x + 5), 0);
}
int main() {
  float* out = device(std::vector<float>(20));
  guard<<<1, 32>>>(out, 20);
  return verdict(host(out, 20)[19] == 5);
}
