// expect: invalid-free global @free
#include "../small.h"
int main() {
  float* x;
  cudaMalloc(&x, 128);
  return cudaFree(x + 1) == cudaSuccess;  // @free
}
