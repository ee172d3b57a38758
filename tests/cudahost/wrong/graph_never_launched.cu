// expect: program-failed
// note: what was captured at line 11 has not run
#include "../small.h"
__global__ void fill(int* x) { x[threadIdx.x] = 7; }
int main() {
  int* x = device(std::vector<int>(32));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaStreamSynchronize(stream);
  return verdict(host(x, 32)[31] == 7);
}
