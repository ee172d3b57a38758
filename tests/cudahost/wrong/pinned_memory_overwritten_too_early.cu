// expect: race pinned @write @copy
#include "../small.h"
int main() {
  int *pinned, *x;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&pinned, 128);
  cudaMalloc(&x, 128);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaMemcpyAsync(x, pinned, 128, cudaMemcpyHostToDevice, stream);  // @copy
  for (int i = 0; i < 32; ++i) pinned[i] = 0;  // @write
  return cudaStreamSynchronize(stream) != cudaSuccess;
}
