#include "../small.h"
__global__ void mark(unsigned char* flags) {
  flags[threadIdx.x] = threadIdx.x;
}
__global__ void halves(short* out) {
  __shared__ short s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
int main() {
  unsigned char* flags = device(std::vector<unsigned char>(100));
  mark<<<1, 100>>>(flags);
  short* out = device(std::vector<short>(64));
  halves<<<1, 64>>>(out);
  return verdict(host(flags, 100)[99] == 99 && host(out, 64)[0] == 1);
}
