#include <mma.h>
#include "../small.h"
using namespace nvcuda;
__global__ void product(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  __shared__ float staged[256];
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2;
  wmma::store_matrix_sync(staged, sum, 16, wmma::mem_row_major);
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = staged[i];
}
int main() {
  std::vector<half> a(256), b(256);
  for (int i = 0; i < 256; ++i) a[i] = half(float(i % 5)), b[i] = half(float(i % 7));
  float* c = device(std::vector<float>(256));
  product<<<1, 32>>>(device(a), device(b), c);
  auto got = host(c, 256);
  bool good = true;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = 1;
      for (int k = 0; k < 16; ++k) sum += float(a[i * 16 + k]) * float(b[j * 16 + k]);
      good &= got[i * 16 + j] == 2 * sum;
    }
  return verdict(good);
}
