#include "../small.h"
__global__ void hillis(const float* x, float* out, int n) {
  extern __shared__ float t[]; int i = threadIdx.x, in = 1, o = 0;
  t[o * n + i] = i > 0 ? x[i - 1] : 0; __syncthreads();
  for (int d = 1; d < n; d *= 2) { o = 1 - o; in = 1 - o; t[o * n + i] = i >= d ? t[in * n + i] + t[in * n + i - d] : t[in * n + i]; __syncthreads(); }
  out[i] = t[o * n + i];
}
__global__ void blelloch(float* x, int n) {
  extern __shared__ float t[]; int i = threadIdx.x, off = 1; t[2 * i] = x[2 * i]; t[2 * i + 1] = x[2 * i + 1];
  for (int d = n >> 1; d > 0; d >>= 1) { __syncthreads(); if (i < d) t[off * (2 * i + 2) - 1] += t[off * (2 * i + 1) - 1]; off *= 2; }
  if (i == 0) t[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) { off >>= 1; __syncthreads(); if (i < d) { int a = off * (2 * i + 1) - 1, b = off * (2 * i + 2) - 1; float v = t[a]; t[a] = t[b]; t[b] += v; } }
  __syncthreads(); x[2 * i] = t[2 * i]; x[2 * i + 1] = t[2 * i + 1];
}
struct Particle { float3 p; float m; char tag; };
__global__ void move(Particle* ps) { Particle p = ps[threadIdx.x]; p.p.x += 1; ps[threadIdx.x] = p; }
__global__ void make(Particle* ps) { Particle p; p.p = make_float3(1, 2, 3); p.m = 4; p.tag = 'a'; ps[threadIdx.x] = p; }
int main() {
  float* out = device(std::vector<float>(128)); hillis<<<1, 128, 1024>>>(device(std::vector<float>(128, 1)), out, 128);
  float* x = device(std::vector<float>(128, 1)); blelloch<<<1, 64, 512>>>(x, 128);
  Particle* ps; cudaMalloc(&ps, 32 * sizeof(Particle)); make<<<1, 32>>>(ps); move<<<1, 32>>>(ps);
  return verdict(host(out, 128)[127] == 127 && host(x, 128)[127] == 127 && host(ps, 32)[3].p.x == 2);
}
