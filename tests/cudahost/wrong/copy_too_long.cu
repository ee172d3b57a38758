// expect: out-of-bounds global @copy
#include "../small.h"
int main() {
  float host[64] = {}, *x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaError_t error = cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);  // @copy
  return error != cudaSuccess;
}
