// Since compute capability 7.0 a barrier waits for the threads that still run.
// note: returned before
#include "../small.h"
__global__ void guard(const float* x, float* out, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  if (i >= n) return;
  s[i] = x[i];
  __syncthreads();
  out[i] = s[n - 1 - i];
}
int main() {
  float* out = device(std::vector<float>(50));
  guard<<<1, 64>>>(device(ramp(50)), out, 50);
  return verdict(host(out, 50)[0] == 49 % 17);
}
