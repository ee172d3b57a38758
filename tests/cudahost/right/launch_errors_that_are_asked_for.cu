#include <cstring>
#include "../small.h"
__global__ void nothing() {}
int main() {
  nothing<<<1, 1025>>>();
  bool good = cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess;
  nothing<<<0, 32>>>();
  good &= cudaPeekAtLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaErrorInvalidConfiguration;
  nothing<<<dim3(1, 65536), 32>>>();
  good &= cudaGetLastError() == cudaErrorInvalidConfiguration;
  nothing<<<1, dim3(1, 1, 65)>>>();
  good &= cudaGetLastError() == cudaErrorInvalidConfiguration;
  nothing<<<1, 32, 49153>>>();
  good &= cudaGetLastError() == cudaErrorInvalidValue;
  nothing<<<1, 1024, 49152>>>();
  good &= cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
  void* p;
  cudaError_t error = cudaMalloc(&p, size_t(1) << 50);
  good &= error == cudaErrorMemoryAllocation && !strcmp(cudaGetErrorString(error), "out of memory");
  good &= !strcmp(cudaGetErrorName(error), "cudaErrorMemoryAllocation");
  return verdict(good);
}
