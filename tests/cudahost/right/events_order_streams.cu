#include "../small.h"
__global__ void produce(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void consume(const float* x, float* out) { out[threadIdx.x] = x[31 - threadIdx.x]; }
int main() {
  cudaStream_t one, two;
  cudaEvent_t ready;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  float *x, *out;
  cudaMalloc(&x, 128);
  cudaMalloc(&out, 128);
  produce<<<1, 32, 0, one>>>(x);
  cudaEventRecord(ready, one);
  cudaStreamWaitEvent(two, ready);
  consume<<<1, 32, 0, two>>>(x, out);
  cudaStreamSynchronize(two);
  return verdict(host(out, 32)[0] == 31);
}
