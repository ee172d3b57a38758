#include "../small.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__device__ int aggregated(int* counter) { auto g = cg::coalesced_threads(); int base = 0; if (g.thread_rank() == 0) base = atomicAdd(counter, g.size()); return g.shfl(base, 0) + g.thread_rank(); }
__global__ void filter(const float* x, float* out, int* n) { float v = x[blockIdx.x * 64 + threadIdx.x]; if (v > 8) out[aggregated(n)] = v; }
__global__ void mask(const float* x, float* out, int* n) {
  int lane = threadIdx.x % 32; float v = x[blockIdx.x * 64 + threadIdx.x]; bool keep = v > 8;
  unsigned m = __ballot_sync(~0u, keep); int base = 0;
  if (lane == 0) base = atomicAdd(n, __popc(m));
  base = __shfl_sync(~0u, base, 0);
  if (keep) out[base + __popc(m & ((1u << lane) - 1))] = v;
}
int main() {
  int *n = device(std::vector<int>(1)), *k = device(std::vector<int>(1)); float* out = device(std::vector<float>(128));
  filter<<<2, 64>>>(device(ramp(128)), out, n); mask<<<2, 64>>>(device(ramp(128)), out, k);
  return verdict(host(n, 1)[0] == host(k, 1)[0]);
}
