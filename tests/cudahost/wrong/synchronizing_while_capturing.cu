// expect: unchecked-error @synchronize
// expect: unchecked-error @end
#include "../small.h"
__global__ void fill(int* x) { x[threadIdx.x] = 7; }
int main() {
  int* x = device(std::vector<int>(32));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, stream>>>(x);
  cudaStreamSynchronize(stream);  // @synchronize
  cudaStreamEndCapture(stream, &graph);  // @end
  return 0;
}
