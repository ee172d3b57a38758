// One stream makes what another one uses: an event between them, and a pinned buffer at the end.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));            \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

__global__ void fill(int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void doubled(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

constexpr int N = 10'000;
constexpr int THREADS = 256;
constexpr int BLOCKS = (N + THREADS - 1) / THREADS;

// --8<-- [start:host]
// Without the event nothing orders the two streams: the second kernel could read
// before the first has written. The CPU waits once, at the end.
void run(int* made, int* used, int* pinned,
         cudaStream_t maker, cudaStream_t user, cudaEvent_t ready) {
  fill<<<BLOCKS, THREADS, 0, maker>>>(made, N);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(ready, maker));        // when `maker` gets here
  CHECK(cudaStreamWaitEvent(user, ready, 0));  // `user` waits, the CPU does not
  doubled<<<BLOCKS, THREADS, 0, user>>>(made, used, N);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(pinned, used, N * sizeof(int), cudaMemcpyDeviceToHost, user));
  CHECK(cudaStreamSynchronize(user));  // only now is `pinned` complete
}
// --8<-- [end:host]

int main() {
  int *made = nullptr, *used = nullptr, *pinned = nullptr;
  CHECK(cudaMalloc(&made, N * sizeof(int)));
  CHECK(cudaMalloc(&used, N * sizeof(int)));
  CHECK(cudaMallocHost(&pinned, N * sizeof(int)));
  cudaStream_t maker, user;
  cudaEvent_t ready;
  CHECK(cudaStreamCreate(&maker));
  CHECK(cudaStreamCreate(&user));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));

  run(made, used, pinned, maker, user, ready);

  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(maker));
  CHECK(cudaStreamDestroy(user));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += pinned[i] != 2 * i;
  CHECK(cudaFree(made));
  CHECK(cudaFree(used));
  CHECK(cudaFreeHost(pinned));
  std::printf("%s event_order: %d elements across two streams, %d wrong\n",
              wrong ? "FAIL" : "PASS", N, wrong);
  return wrong ? 1 : 0;
}
