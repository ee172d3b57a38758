// One launch cannot be two steps: block 1 reads what block 0 writes.
// expect: race global @write @read
#include "../small.h"
__global__ void two_steps(float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * 2;  // @write
  __syncthreads();
  out[i] = x[n - 1 - i];  // @read
}
int main() {
  float* out = device(std::vector<float>(128));
  two_steps<<<2, 64>>>(device(ramp(128)), out, 128);
  return cudaDeviceSynchronize() != cudaSuccess;
}
