#include "../small.h"
__global__ void place(int* out, int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < w && y < h && z < d) out[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}
int main() {
  int w = 5, h = 6, d = 7, *out;
  cudaMalloc(&out, w * h * d * sizeof(int));
  place<<<dim3(2, 2, 2), dim3(3, 4, 5)>>>(out, w, h, d);
  bool good = true;
  auto got = host(out, w * h * d);
  for (int i = 0; i < w * h * d; ++i) good &= got[i] == i % w + 100 * (i / w % h) + 10000 * (i / w / h);
  return verdict(good);
}
