// Takes the time of a kernel as a benchmark should, checks the result, and prints no time.
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

__global__ void add(const float* a, const float* b, float* sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

constexpr int WARM_UPS = 3;
constexpr int REPEATS = 11;

// --8<-- [start:host]
// Milliseconds per launch, sorted: [0] is the best, the middle one the median.
// Events are stamped on the GPU. It is idle when a run begins, so a wait for the launch
// counts too: little beside a long kernel, most of the time beside a very short one.
std::vector<float> sorted_times(const float* a, const float* b, float* sum, int n) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  std::vector<float> times;
  for (int run = 0; run < WARM_UPS + REPEATS; ++run) {
    CHECK(cudaEventRecord(start));
    add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));  // a launch returns before the kernel has run
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    if (run >= WARM_UPS) times.push_back(milliseconds);  // the first ones pay for loading
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  std::sort(times.begin(), times.end());
  return times;
}
// --8<-- [end:host]

constexpr int N = 10'000;

int main() {
  std::vector<float> a(N), b(N), result(N);
  for (int i = 0; i < N; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_a, N * sizeof(float)));
  CHECK(cudaMalloc(&d_b, N * sizeof(float)));
  CHECK(cudaMalloc(&d_sum, N * sizeof(float)));
  CHECK(cudaMemcpy(d_a, a.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), N * sizeof(float), cudaMemcpyHostToDevice));

  std::vector<float> times = sorted_times(d_a, d_b, d_sum, N);

  // A fast kernel with a wrong result has no time worth telling.
  CHECK(cudaMemcpy(result.data(), d_sum, N * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_sum));
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += !(result[i] == static_cast<float>(3 * i));
  bool right = wrong == 0 && times.size() == REPEATS;
  std::printf("%s timed_runs: %d warm-ups, %zu repeats, %d wrong\n", right ? "PASS" : "FAIL",
              WARM_UPS, times.size(), wrong);
  return right ? 0 : 1;
}
