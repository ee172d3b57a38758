// expect: warp-mask @load
#include <mma.h>
#include "../small.h"
using namespace nvcuda;
__global__ void tile(const half* a, half* out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  if (threadIdx.x < 16) wmma::load_matrix_sync(left, a, 16);  // @load
  out[threadIdx.x] = left.x[0];
}
int main() {
  half *a, *out;
  cudaMalloc(&a, 512);
  cudaMalloc(&out, 64);
  cudaMemset(a, 0, 512);
  tile<<<1, 32>>>(a, out);
  return cudaDeviceSynchronize() == cudaSuccess;
}
