#include "../small.h"
template <class T, int N, class F>
__global__ void map(T* x, F f) {
  if (threadIdx.x < N) x[threadIdx.x] = f(x[threadIdx.x]);
}
struct Scale {
  float factor;
  __host__ __device__ float operator()(float v) const { return v * factor; }
};
struct Big {
  float values[20];
  int n;
};
__global__ void take(Big big, float* out) { out[threadIdx.x] = big.values[threadIdx.x] + big.n; }
template <class F>
__global__ void call(F f, float* out) { out[threadIdx.x] = f(threadIdx.x); }
int main() {
  float* x = device(ramp(32));
  map<float, 32><<<1, 32>>>(x, Scale{3});
  map<float, 32, Scale><<<1, 32>>>(x, Scale{2});
  float shift = 1;
  map<float, (16 > 8 ? 32 : 8)><<<1, 32>>>(x, [shift] __device__(float v) { return v + shift; });
  bool good = host(x, 32)[16] == 97;
  Big big{};
  big.values[7] = 5;
  big.n = 2;
  take<<<1, 20>>>(big, x);
  good &= host(x, 32)[7] == 7;
  call<<<1, 32>>>([=] __device__(int i) { return big.values[i % 20] * 2; }, x);
  good &= host(x, 32)[7] == 10;
  auto pointer = take;
  pointer<<<1, 20>>>(big, x);
  return verdict(good && host(x, 32)[0] == 2);
}
