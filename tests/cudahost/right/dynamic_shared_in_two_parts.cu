#include "../small.h"
__global__ void parts(float* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* values = reinterpret_cast<float*>(raw);
  int* places = reinterpret_cast<int*>(values + n);
  values[threadIdx.x] = threadIdx.x * 2;
  places[threadIdx.x] = n - 1 - threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[places[threadIdx.x]];
}
int main() {
  float* out = device(std::vector<float>(48));
  parts<<<1, 48, 48 * (sizeof(float) + sizeof(int))>>>(out, 48);
  return verdict(host(out, 48)[0] == 94);
}
