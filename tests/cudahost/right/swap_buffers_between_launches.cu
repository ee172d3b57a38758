#include "../small.h"
__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i ? i - 1 : 0] + in[i] + in[i + 1 < n ? i + 1 : i];
}
int main() {
  float *a = device(std::vector<float>(100, 1.0f)), *b = device(std::vector<float>(100));
  for (int step = 0; step < 5; ++step) {
    blur<<<2, 64>>>(a, b, 100);
    std::swap(a, b);
  }
  return verdict(host(a, 100)[50] == 243);
}
