// Two streams in one capture: a copy, two branches that meet, a sum, and a host function. Launched in another stream than captured.
#include "../small.h"
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
__global__ void fill(int* y) { y[threadIdx.x] = 5; }
__global__ void sum(const int* x, const int* y, int* total) { atomicAdd(total, x[threadIdx.x] + y[threadIdx.x]); }
void CUDART_CB count(void* times) { ++*static_cast<int*>(times); }
int main() {
  int *in, *x, *y, *total, times = 0, result = 0;
  cudaMallocHost(&in, 128);
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaMalloc(&total, 4);
  cudaStream_t one, two, other;
  cudaStreamCreate(&one);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(two, fork, 0);
  cudaMemcpyAsync(x, in, 128, cudaMemcpyDefault, one);
  twice<<<1, 32, 0, one>>>(x);
  cudaMemsetAsync(total, 0, 4, two);
  fill<<<1, 32, 0, two>>>(y);
  cudaEventRecord(join, two);
  cudaStreamWaitEvent(one, join, 0);
  sum<<<1, 32, 0, one>>>(x, y, total);
  cudaMemcpyAsync(&result, total, 4, cudaMemcpyDefault, one);
  cudaLaunchHostFunc(one, count, &times);
  cudaGraph_t graph, clone;
  bool good = cudaStreamEndCapture(one, &graph) == cudaSuccess;
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  good = good && nodes == 7;

  cudaGraphExec_t ready, ready_clone;
  cudaGraphClone(&clone, graph);
  cudaGraphInstantiate(&ready, graph);
  cudaGraphInstantiateWithFlags(&ready_clone, clone, 0);
  for (int i = 0; i < 32; ++i) in[i] = 1;
  cudaGraphUpload(ready, other);
  cudaGraphLaunch(ready, other);
  cudaGraphLaunch(ready, one);  // waits for the launch before, in whatever stream it was
  cudaStreamSynchronize(one);
  good = good && result == 32 * 7 && times == 2;
  for (int i = 0; i < 32; ++i) in[i] = 10;
  cudaGraphLaunch(ready_clone, other);
  cudaStreamSynchronize(other);
  return verdict(good && result == 32 * 25 && times == 3);
}
