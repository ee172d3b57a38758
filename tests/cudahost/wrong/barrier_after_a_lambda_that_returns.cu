// expect: barrier-divergence @barrier
#include "../small.h"
__global__ void k(int* x, int n) {
  auto put = [&](int i) {
    if (i >= n) return;
    x[i] = 1;
  };
  put(threadIdx.x);
  if (threadIdx.x < n) __syncthreads();  // @barrier
}
int main() {
  k<<<1, 64>>>(device(std::vector<int>(64)), 40);
  return cudaDeviceSynchronize() == cudaSuccess;
}
