#include "../small.h"
#define N 64
__device__ volatile int flag[N]; __device__ volatile int aggregate[N], inclusive[N]; __device__ int next_tile = 0;
__global__ void scan(const int* x, int* out) {
  __shared__ int tile, prefix, s[32];
  if (threadIdx.x == 0) tile = atomicAdd(&next_tile, 1);
  __syncthreads();
  int v = x[tile * 32 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(~0u, v, d); if (threadIdx.x >= d) v += u; }
  if (threadIdx.x == 31) {
    aggregate[tile] = v; __threadfence(); flag[tile] = 1;
    int sum = 0;
    for (int p = tile - 1; p >= 0; --p) {
      int f; while ((f = flag[p]) == 0) {}
      __threadfence();
      if (f == 2) { sum += inclusive[p]; break; }
      sum += aggregate[p];
    }
    inclusive[tile] = sum + v; __threadfence(); flag[tile] = 2;
    prefix = sum;
  }
  __syncthreads();
  out[tile * 32 + threadIdx.x] = v + prefix;
}
int main() {
  int* out = device(std::vector<int>(N * 32)); scan<<<N, 32>>>(device(std::vector<int>(N * 32, 1)), out);
  auto got = host(out, N * 32); bool good = true; for (int i = 0; i < N * 32; ++i) good &= got[i] == i + 1;
  return verdict(good);
}
