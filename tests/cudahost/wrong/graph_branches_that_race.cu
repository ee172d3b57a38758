// expect: race global @fill @add
#include "../small.h"
__global__ void fill(int* x) { x[threadIdx.x] = 7; }   // @fill
__global__ void add(int* x) { x[threadIdx.x] += 1; }   // @add
int main() {
  int* x = device(std::vector<int>(32));
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(two, fork);
  fill<<<1, 32, 0, one>>>(x);
  add<<<1, 32, 0, two>>>(x);
  cudaEventRecord(join, two);
  cudaStreamWaitEvent(one, join);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, one);
  return cudaStreamSynchronize(one) != cudaSuccess;
}
