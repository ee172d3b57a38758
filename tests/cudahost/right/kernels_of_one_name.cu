#include "../small.h"
__global__ void k(float* x);
__global__ void k(float* x) { x[threadIdx.x] = 1; }
__global__ void k(int* x) { x[threadIdx.x] = 2; }
template <int N = 4> __global__ void d(int* x) { x[threadIdx.x] += N; }
namespace { __global__ void hidden(int* x) { x[threadIdx.x] += 1; } }
extern "C" __global__ void c_name(int* x) { x[threadIdx.x] += 1; }
static __global__ __launch_bounds__(128) void stat(int* x) { x[threadIdx.x] += 1; }
template <typename T> struct SharedMemory { __device__ operator T*() { extern __shared__ int raw[]; return (T*)raw; } };
template <typename T> __global__ void dyn(T* x) { T* s = SharedMemory<T>(); s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[31 - threadIdx.x]; }
const float table[4] = {1, 2, 3, 4};
const int COUNT = 32;
__global__ void use(float* x) { x[threadIdx.x] = table[threadIdx.x % 4] * COUNT; }
int main() {
  float* f = device(std::vector<float>(32)); int* i = device(std::vector<int>(32));
  k<<<1, 32>>>(f); k<<<1, 32>>>(i); d<><<<1, 32>>>(i); d<2><<<1, 32>>>(i); hidden<<<1, 32>>>(i); c_name<<<1, 32>>>(i); stat<<<1, 32>>>(i);
  dyn<int><<<1, 32, 128>>>(i); use<<<1, 32>>>(f);
  return verdict(host(i, 32)[0] == 11 && host(f, 32)[1] == 64);
}
