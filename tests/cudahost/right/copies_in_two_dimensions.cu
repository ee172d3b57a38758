#include "../small.h"
__global__ void twice(float* x, size_t pitch, int w) {
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(x) + blockIdx.x * pitch);
  if (threadIdx.x < w) row[threadIdx.x] *= 2;
}
int main() {
  const int w = 10, h = 4;
  float in[h][w], out[h][w] = {}, *x;
  for (int i = 0; i < w * h; ++i) in[i / w][i % w] = i;
  size_t pitch;
  cudaMallocPitch(&x, &pitch, w * sizeof(float), h);
  cudaMemcpy2D(x, pitch, in, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  twice<<<h, 32>>>(x, pitch, w);
  cudaMemcpy2D(out, w * sizeof(float), x, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  return verdict(pitch >= w * sizeof(float) && out[3][9] == 78);
}
