// Packs the positive numbers of an array: votes and shuffles inside a warp, one atomic per warp.
#include <cuda_runtime.h>

#include <algorithm>
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

// --8<-- [start:kernel]
// The lanes vote, count the votes below their own, and lane 0 fetches places for all.
// No lane has left the warp: `keep` is false beyond the end.
__global__ void pack_positive(const int* in, int n, int* out, int* count) {
  const unsigned all = 0xffffffffu;
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool keep = i < n && in[i] > 0;

  unsigned votes = __ballot_sync(all, keep);  // bit l: does lane l keep its number?
  int before = __popc(votes & ((1u << lane) - 1));
  int first = 0;
  if (lane == 0) first = atomicAdd(count, __popc(votes));
  // The other lanes do not come here, yet the mask names them.
  if (keep) out[__shfl_sync(all, first, 0) + before] = in[i];
}
// --8<-- [end:kernel]

#ifndef SCALE
#define SCALE 1
#endif
constexpr int N = 10'000 * SCALE;
constexpr int THREADS = 256;

int main() {
  std::vector<int> values(N), expected, result(N);
  for (int i = 0; i < N; ++i) {
    values[i] = static_cast<int>(i * 7919LL % 10'007) - 5000;
    if (values[i] > 0) expected.push_back(values[i]);
  }

  int *in = nullptr, *out = nullptr, *device_count = nullptr;
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));
  CHECK(cudaMalloc(&device_count, sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_count, 0, sizeof(int)));
  pack_positive<<<(N + THREADS - 1) / THREADS, THREADS>>>(in, N, out, device_count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int count = 0;
  CHECK(cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost));
  result.resize(std::clamp(count, 0, N));
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(device_count));

  // The warps take their places in any order: compare as sets.
  std::sort(result.begin(), result.end());
  std::sort(expected.begin(), expected.end());
  bool right = result == expected;
  std::printf("%s warp_votes: %d of %d numbers kept\n", right ? "PASS" : "FAIL", count, N);
  return right ? 0 : 1;
}
