#include "../small.h"
__global__ void produce(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main() {
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  float* x;
  cudaMalloc(&x, 128);
  produce<<<1, 32, 0, one>>>(x);
  twice<<<1, 32>>>(x);
  twice<<<1, 32, 0, two>>>(x);
  return verdict(cudaDeviceSynchronize() == cudaSuccess && host(x, 32)[31] == 124);
}
