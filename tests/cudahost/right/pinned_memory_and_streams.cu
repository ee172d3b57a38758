#include "../small.h"
__global__ void add(float* x, float v) { x[threadIdx.x] += v; }
int main() {
  float *pinned, *x[2];
  cudaStream_t streams[2];
  cudaMallocHost(&pinned, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMalloc(&x[s], 128);
    cudaMemcpyAsync(x[s], pinned + 32 * s, 128, cudaMemcpyHostToDevice, streams[s]);
    add<<<1, 32, 0, streams[s]>>>(x[s], 1 + s);
    cudaMemcpyAsync(pinned + 32 * s, x[s], 128, cudaMemcpyDeviceToHost, streams[s]);
  }
  for (cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  bool good = pinned[0] == 1 && pinned[63] == 65;
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(pinned);
  return verdict(good);
}
