// expect: unchecked-error @malloc
#include "../small.h"
int main() {
  float* x = nullptr;
  cudaMalloc(&x, size_t(1) << 40);  // @malloc
  return verdict(true);
}
