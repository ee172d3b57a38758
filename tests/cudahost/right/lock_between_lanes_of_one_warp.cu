// Runs since Volta: lanes make progress of their own.
#include "../small.h"
__global__ void add(int* lock, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
int main() {
  int *lock = device(std::vector<int>(1)), *total = device(std::vector<int>(1));
  add<<<2, 32>>>(lock, total);
  return verdict(host(total, 1)[0] == 64);
}
