#include "../small.h"
constexpr int TILE = 8;
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    as[y][x] = row < m && t * TILE + x < k ? a[row * k + t * TILE + x] : 0;
    bs[y][x] = column < n && t * TILE + y < k ? b[(t * TILE + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
int main() {
  const int m = 20, n = 13, k = 17;
  auto a = ramp(m * k), b = ramp(k * n);
  float* c = device(std::vector<float>(m * n));
  product<<<dim3((n + 7) / 8, (m + 7) / 8), dim3(8, 8)>>>(device(a), device(b), c, m, n, k);
  auto got = host(c, m * n);
  bool good = true;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[i * k + l] * b[l * n + j];
      good &= sum == got[i * n + j];
    }
  return verdict(good);
}
