// expect: double-free global @second @first
#include "../small.h"
int main() {
  float* x;
  cudaMalloc(&x, 128);
  cudaFree(x);  // @first
  return cudaFree(x) == cudaSuccess;  // @second
}
