// The pattern of the programming guide: write, fence, take a ticket; the last block reads all.
#include "../small.h"
__device__ unsigned tickets = 0;
__global__ void sum(const float* x, volatile float* partial, float* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    unsigned ticket = atomicInc(&tickets, gridDim.x);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < gridDim.x; ++i) all += partial[i];
    *out = all;
    tickets = 0;
  }
}
int main() {
  float* out = device(std::vector<float>(1));
  float* partial = device(std::vector<float>(8));
  for (int round = 0; round < 2; ++round) sum<<<8, 32>>>(device(ramp(8)), partial, out);
  return verdict(host(out, 1)[0] == 28);
}
