// Captures three launches into a graph once, and replays it: one call instead of three.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

__global__ void add(int* values, int n, int amount) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += amount;
}

constexpr int N = 4096;
constexpr int REPLAYS = 10;

// --8<-- [start:host]
// Between begin and end nothing runs; the stream writes down what it is given.
// Pointers, sizes and launch shapes are fixed from then on.
void replay(int* values, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<N / 256, 256, 0, stream>>>(values, N, 1);
  add<<<N / 256, 256, 0, stream>>>(values, N, 10);
  add<<<N / 256, 256, 0, stream>>>(values, N, 100);
  CHECK(cudaStreamEndCapture(stream, &graph));

  cudaGraphExec_t ready;
  CHECK(cudaGraphInstantiate(&ready, graph, 0));  // checked and prepared once
  for (int i = 0; i < REPLAYS; ++i) CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
}
// --8<-- [end:host]

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, N * sizeof(int)));
  CHECK(cudaMemset(values, 0, N * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaDeviceSynchronize());  // the memset is on another stream

  replay(values, stream);

  std::vector<int> result(N);
  CHECK(cudaMemcpy(result.data(), values, N * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(values));
  int wrong = 0;
  for (int value : result) wrong += value != 111 * REPLAYS;
  std::printf("%s graph_replay: 3 kernels, %d replays, %d wrong\n",
              wrong ? "FAIL" : "PASS", REPLAYS, wrong);
  return wrong ? 1 : 0;
}
