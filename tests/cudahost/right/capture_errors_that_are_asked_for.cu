// note: what was captured at line 12 has not run
// What CUDA forbids while a stream captures: each is an error, and the capture ends without a graph.
#include "../small.h"
__global__ void k(int* x) { x[0] = 1; }
cudaStream_t stream, other;
cudaEvent_t event;
int* x;

template <class Call>
bool refused(const char* what, cudaError_t expected, Call call, cudaError_t at_end = cudaErrorStreamCaptureInvalidated) {
  cudaGraph_t graph = nullptr;
  bool good = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess;
  k<<<1, 1, 0, stream>>>(x);
  cudaError_t error = call(), end = cudaStreamEndCapture(stream, &graph);
  good = good && error == expected && end == at_end && (graph == nullptr) == (end != cudaSuccess);
  if (!good) std::printf("%s: %s, then %s\n", what, cudaGetErrorName(error), cudaGetErrorName(end));
  if (graph) cudaGraphDestroy(graph);
  (void)cudaGetLastError();
  return good;
}

int main() {
  cudaMalloc(&x, 4);
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  bool good = true;
  good &= refused("synchronize", cudaErrorStreamCaptureUnsupported, [] { return cudaStreamSynchronize(stream); });
  good &= refused("synchronize the device", cudaErrorStreamCaptureUnsupported, [] { return cudaDeviceSynchronize(); });
  good &= refused("query", cudaErrorStreamCaptureUnsupported, [] { return cudaStreamQuery(stream); });
  good &= refused("allocate", cudaErrorStreamCaptureUnsupported, [] { int* p; return cudaMalloc(&p, 4); });
  good &= refused("copy", cudaErrorStreamCaptureImplicit, [] { int v; return cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost); });
  good &= refused("launch in the default stream", cudaErrorStreamCaptureImplicit, [] { k<<<1, 1>>>(x); return cudaGetLastError(); });
  good &= refused("work after an error", cudaErrorStreamCaptureInvalidated, [] {
    (void)cudaStreamSynchronize(stream);
    k<<<1, 1, 0, stream>>>(x);
    return cudaGetLastError();
  });
  good &= refused("wait for what was not captured", cudaErrorStreamCaptureIsolation, [] {
    cudaEventRecord(event, other);
    return cudaStreamWaitEvent(stream, event, 0);
  });
  good &= refused("ask a captured event", cudaErrorCapturedEvent, [] {
    cudaEventRecord(event, stream);
    return cudaEventSynchronize(event);
  });
  good &= refused("end it in another stream", cudaErrorStreamCaptureUnmatched, [] {
    cudaGraph_t none;
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    return cudaStreamEndCapture(other, &none);
  });
  good &= refused("begin twice", cudaErrorIllegalState, [] { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); }, cudaSuccess);
  good &= refused("never join", cudaSuccess, [] {
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    k<<<1, 1, 0, other>>>(x);
    return cudaGetLastError();
  }, cudaErrorStreamCaptureUnjoined);
  cudaGraph_t graph;
  good &= cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported;
  good &= cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState;
  // Relaxed: an allocation may come between, and nothing of it is captured.
  good &= cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess && cudaMalloc(&x, 4) == cudaSuccess;
  good &= cudaStreamEndCapture(stream, &graph) == cudaSuccess && cudaGetLastError() != cudaErrorUnknown;
  return verdict(good);
}
