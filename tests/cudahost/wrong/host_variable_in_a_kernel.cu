// expect: host-pointer host @read
#include "../small.h"
int scale = 3;
__global__ void multiply(int* out) {
  out[threadIdx.x] = scale;  // @read
}
int main() {
  scale = std::rand() % 7;
  multiply<<<1, 32>>>(device(std::vector<int>(32)));
  return cudaDeviceSynchronize() == cudaSuccess;
}
