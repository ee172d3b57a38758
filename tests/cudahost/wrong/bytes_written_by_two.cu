// expect: race global @write
#include "../small.h"
__global__ void mark(unsigned char* flags) {
  flags[threadIdx.x / 2] = threadIdx.x;  // @write
}
int main() {
  unsigned char* flags = device(std::vector<unsigned char>(64));
  mark<<<1, 128>>>(flags);
  return cudaDeviceSynchronize() != cudaSuccess;
}
