#include "../small.h"
__constant__ float weights[3];
__constant__ int offsets[] = {-1, 0, 1};
__device__ int counter, table[4] = {1, 2, 3, 4};
namespace model {
__device__ float bias = 0.5f;
}
__global__ void apply(float* out) {
  int t = threadIdx.x;
  out[t] = weights[t] + offsets[t] + table[t + 1] + model::bias;
  atomicAdd(&counter, 1);
}
int main() {
  float host_weights[3] = {10, 20, 30}, bias = 1;
  cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);
  cudaMemcpyToSymbol(model::bias, &bias, sizeof bias);
  int four[2] = {100, 200};
  cudaMemcpyToSymbol(table, four, sizeof four, 2 * sizeof(int));
  float* out = device(std::vector<float>(3));
  apply<<<1, 3>>>(out);
  int count = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  auto got = host(out, 3);
  void* address = nullptr;
  cudaGetSymbolAddress(&address, counter);
  return verdict(got[0] == 12 && got[1] == 121 && got[2] == 232 && count == 3 && address);
}
