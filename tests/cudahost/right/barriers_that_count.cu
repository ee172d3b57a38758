#include "../small.h"
__global__ void count(int* out) {
  int odd = __syncthreads_count(threadIdx.x & 1), all = __syncthreads_and(threadIdx.x < 100), any = __syncthreads_or(threadIdx.x == 77);
  if (threadIdx.x == 3) out[0] = odd, out[1] = all, out[2] = any, out[3] = __popc(1);
}
int main() {
  int* out = device(std::vector<int>(4));
  count<<<1, 100>>>(out);
  auto got = host(out, 3);
  return verdict(got[0] == 50 && got[1] && got[2]);
}
