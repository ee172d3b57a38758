// expect: race global @write @read
#include "../small.h"
__global__ void produce(float* x) { x[threadIdx.x] = threadIdx.x; }  // @write
__global__ void consume(const float* x, float* out) {
  out[threadIdx.x] = x[threadIdx.x];  // @read
}
int main() {
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  float* x = device(ramp(32));
  float* out = device(std::vector<float>(32));
  produce<<<1, 32, 0, one>>>(x);
  consume<<<1, 32, 0, two>>>(x, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
