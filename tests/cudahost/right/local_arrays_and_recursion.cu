#include "../small.h"
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void local(int* out) {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i * threadIdx.x;
  int* pointer = values + threadIdx.x % 32;
  out[threadIdx.x] = *pointer + fibonacci(10);
}
int main() {
  int* out = device(std::vector<int>(64));
  local<<<1, 64>>>(out);
  return verdict(host(out, 64)[33] == 33 + 55);
}
