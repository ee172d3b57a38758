// expect: use-after-free pinned @copy @free
#include "../small.h"
int main() {
  float *x, *pinned;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 4096);
  cudaMallocHost(&pinned, 4096);
  cudaFree(x);
  cudaFreeHost(pinned);  // @free
  cudaMalloc(&x, 4096);
  cudaError_t error = cudaMemcpyAsync(x, pinned, 4096, cudaMemcpyHostToDevice, stream);  // @copy
  return error == cudaSuccess;
}
