// expect: use-after-free global @add @free
#include "../small.h"
__global__ void add(int* x) { x[threadIdx.x] += 1; }  // @add
int main() {
  int* x = device(std::vector<int>(32));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<1, 32, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaFree(x);  // @free
  cudaGraphLaunch(ready, stream);
  return cudaStreamSynchronize(stream) == cudaSuccess;
}
