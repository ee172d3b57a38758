// Copies in, computes and copies out in chunks, on two streams that may overlap.
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

__global__ void add_one(int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

constexpr int CHUNKS = 4;
constexpr int CHUNK = 4096;
constexpr size_t BYTES = CHUNK * sizeof(int);

// --8<-- [start:host]
// Within a stream the three steps keep their order. Between streams there is none,
// so the copy of one chunk may run beside the kernel of another.
// `host` is pinned: only then is cudaMemcpyAsync free to return at once.
void process(int* host, int* device, cudaStream_t (&streams)[2]) {
  for (int c = 0; c < CHUNKS; ++c) {
    cudaStream_t stream = streams[c % 2];
    int *h = host + c * CHUNK, *d = device + c * CHUNK;
    CHECK(cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, stream));
    add_one<<<CHUNK / 256, 256, 0, stream>>>(d, CHUNK);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, stream));
  }
  for (cudaStream_t stream : streams) CHECK(cudaStreamSynchronize(stream));
}
// --8<-- [end:host]

int main() {
  int *host = nullptr, *device = nullptr;
  CHECK(cudaMallocHost(&host, CHUNKS * BYTES));
  CHECK(cudaMalloc(&device, CHUNKS * BYTES));
  for (int i = 0; i < CHUNKS * CHUNK; ++i) host[i] = i;

  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  process(host, device, streams);
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));

  int wrong = 0;
  for (int i = 0; i < CHUNKS * CHUNK; ++i) wrong += host[i] != i + 1;
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  std::printf("%s two_streams: %d chunks of %d on 2 streams, %d wrong\n",
              wrong ? "FAIL" : "PASS", CHUNKS, CHUNK, wrong);
  return wrong ? 1 : 0;
}
