#include "../small.h"
__global__ void shuffle(int* out) {
  int t = threadIdx.x, good = 1;
  good &= __shfl_sync(0xffffffff, t, 3) == 3;
  good &= __shfl_sync(0xffffffff, t, 3, 8) == t / 8 * 8 + 3;
  good &= __shfl_sync(0xffffffff, t, t + 1) == (t + 1) % 32;
  good &= __shfl_up_sync(0xffffffff, t, 2) == (t >= 2 ? t - 2 : t);
  good &= __shfl_up_sync(0xffffffff, t, 1, 4) == (t % 4 ? t - 1 : t);
  good &= __shfl_down_sync(0xffffffff, t, 5) == (t + 5 < 32 ? t + 5 : t);
  good &= __shfl_xor_sync(0xffffffff, t, 16) == (t ^ 16);
  good &= __shfl_xor_sync(0xffffffff, double(t), 1) == (t ^ 1);
  good &= __shfl_xor_sync(0xffffffff, (long long)t << 40, 1) == (long long)(t ^ 1) << 40;
  out[t] = good;
}
int main() {
  int* out = device(std::vector<int>(32));
  shuffle<<<1, 32>>>(out);
  bool good = true;
  for (int v : host(out, 32)) good &= v;
  return verdict(good);
}
