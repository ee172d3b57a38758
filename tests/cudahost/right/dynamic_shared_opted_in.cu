#include "../small.h"
template <typename T>
__global__ void large(T* out, int n) {
  extern __shared__ T s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = s[n - 1];
}
int main() {
  int n = 20000;
  float* out = device(std::vector<float>(1));
  cudaError_t error = cudaFuncSetAttribute(large<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4);
  large<float><<<1, 128, n * 4>>>(out, n);
  return verdict(error == cudaSuccess && cudaGetLastError() == cudaSuccess && host(out, 1)[0] == n - 1);
}
