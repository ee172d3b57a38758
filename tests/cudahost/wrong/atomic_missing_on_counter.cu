// expect: race global @count
#include "../small.h"
__global__ void count(const float* x, int* counter) {
  if (x[threadIdx.x] > 3) *counter += 1;  // @count
}
int main() {
  int* counter = device(std::vector<int>(1));
  count<<<1, 64>>>(device(ramp(64)), counter);
  return cudaDeviceSynchronize() != cudaSuccess;
}
