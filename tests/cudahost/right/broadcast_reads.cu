#include "../small.h"
__global__ void scale(const float* factor, const float* x, float* out) {
  out[blockIdx.x * 128 + threadIdx.x] = *factor * x[blockIdx.x * 128 + threadIdx.x];
}
int main() {
  float* out = device(std::vector<float>(512));
  scale<<<4, 128>>>(device(std::vector<float>{2}), device(ramp(512)), out);
  return verdict(host(out, 512)[16] == 32);
}
