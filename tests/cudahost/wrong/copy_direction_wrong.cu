// expect: copy-direction @copy
#include "../small.h"
int main() {
  float host[32] = {}, *x;
  cudaMalloc(&x, sizeof host);
  return cudaMemcpy(x, host, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess;  // @copy
}
