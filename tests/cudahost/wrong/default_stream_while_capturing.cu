// expect: unchecked-error @launch
#include "../small.h"
__global__ void fill(int* x) { x[threadIdx.x] = 7; }
int main() {
  int* x = device(std::vector<int>(32));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) return 1;
  fill<<<1, 32>>>(x);  // @launch
  return cudaStreamEndCapture(stream, &graph) == cudaSuccess;
}
