// What a stream is given while it captures runs when the graph is launched, with the arguments it was given then.
#include "../small.h"
__global__ void add(int* x, int amount) { x[threadIdx.x] += amount; }
int main() {
  int* x = device(std::vector<int>(64));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready, again;
  cudaStreamCaptureStatus status;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int amount = 1; amount <= 100; amount *= 10) add<<<1, 64, 0, stream>>>(x, amount);
  cudaStreamIsCapturing(stream, &status);
  bool good = status == cudaStreamCaptureStatusActive;
  cudaStreamEndCapture(stream, &graph);
  good = good && host(x, 64)[63] == 0;
  good = good && cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess;
  good = good && cudaGraphInstantiate(&again, graph, nullptr, nullptr, 0) == cudaSuccess;
  cudaGraphDestroy(graph);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(ready, stream);
  cudaGraphLaunch(again, stream);
  good = good && cudaStreamSynchronize(stream) == cudaSuccess && host(x, 64)[63] == 444;
  cudaGraphExecDestroy(ready);
  cudaGraphExecDestroy(again);
  return verdict(good);
}
