#include "../small.h"
#include <algorithm>
#include <memory>
#include <atomic>
#include <iostream>
#include <map>
#include <functional>
__global__ void sort(int* x, int n) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x; s[t] = x[t]; __syncthreads();
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      unsigned o = t ^ j;
      if (o > t) { bool up = (t & k) == 0; if ((s[t] > s[o]) == up) { int v = s[t]; s[t] = s[o]; s[o] = v; } }
      __syncthreads();
    }
  x[t] = s[t];
}
__global__ void relax(int* d, const int* edges, int m) {
  __shared__ bool changed;
  do {
    __syncthreads();
    if (threadIdx.x == 0) changed = false;
    __syncthreads();
    for (int e = threadIdx.x; e < m; e += blockDim.x) {
      int from = edges[2 * e], to = edges[2 * e + 1];
      int old = atomicMin(&d[to], atomicAdd(&d[from], 0) + 1);
      if (old > atomicAdd(&d[from], 0) + 1) changed = true;  // cudahost: same-value
    }
    __syncthreads();
  } while (changed);
}
int main() {
  std::atomic<int> a{3}; a += 2; auto p = std::make_shared<int>(5); std::map<int, std::string> m{{1, "x"}}; std::function<int(int)> f = [&](int v) { return v + a.load(); };
  std::cout << f(*p) << m[1] << std::endl;
  std::vector<int> v(256); for (int i = 0; i < 256; ++i) v[i] = i * 7919 % 256;
  int* x = device(v); sort<<<1, 256, 1024>>>(x, 256);
  auto got = host(x, 256);
  std::vector<int> dist(10, 1000), edges; dist[0] = 0; for (int i = 9; i > 0; --i) { edges.push_back(i - 1); edges.push_back(i); }
  int* d = device(dist); relax<<<1, 64>>>(d, device(edges), 9);
  return verdict(std::is_sorted(got.begin(), got.end()) && host(d, 10)[9] == 9);
}
