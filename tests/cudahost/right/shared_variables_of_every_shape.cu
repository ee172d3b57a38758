#include "../small.h"
struct Pair {
  int first;
  float second;
};
template <int N>
__device__ int fill() {
  __shared__ int own[N];
  own[threadIdx.x % N] = N;  // cudahost: same-value
  __syncthreads();
  return own[N - 1];
}
__global__ void shapes(int* out) {
  __shared__ float a[2][3], *pointer, plain;
  __shared__ Pair pairs[4];
  __shared__ struct { int x, y; } point;
  __shared__ union Bits { int i; float f; } bits;
  __shared__ __align__(16) volatile short v[8];
  if (threadIdx.x == 0) {
    a[1][2] = 3;
    plain = 4;
    pointer = &plain;
    pairs[3].second = 5;
    point.y = 6;
    bits.f = 1.0f;
    v[7] = 7;
  }
  __syncthreads();
  if (threadIdx.x == 33) *out = int(a[1][2] + *pointer + pairs[3].second) + point.y + (bits.i == 0x3f800000) + v[7] + fill<2>() + fill<3>();
  else fill<2>(), fill<3>();
}
int main() {
  int* out = device(std::vector<int>(1));
  shapes<<<1, 64>>>(out);
  return verdict(host(out, 1)[0] == 12 + 6 + 1 + 7 + 5);
}
