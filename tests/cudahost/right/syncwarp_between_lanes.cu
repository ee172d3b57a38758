#include "../small.h"
__global__ void sum(const float* x, float* out) {
  __shared__ float s[64];
  unsigned t = threadIdx.x;
  s[t] = x[t];
  s[t + 32] = x[t + 32];
  __syncwarp();
  for (int step = 32; step > 0; step /= 2) {
    float v = t < step ? s[t] + s[t + step] : 0;
    __syncwarp();
    if (t < step) s[t] = v;
    __syncwarp();
  }
  if (t == 0) *out = s[0];
}
int main() {
  float* out = device(std::vector<float>(1));
  sum<<<1, 32>>>(device(ramp(64)), out);
  float expected = 0;
  for (float v : ramp(64)) expected += v;
  return verdict(host(out, 1)[0] == expected);
}
