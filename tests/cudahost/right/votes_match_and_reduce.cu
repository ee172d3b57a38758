#include "../small.h"
__global__ void ask(unsigned* out) {
  unsigned t = threadIdx.x, all = 0xffffffff;
  unsigned odd = __ballot_sync(all, t & 1);
  int any = __any_sync(all, t == 31), none = __any_sync(all, t > 31), every = __all_sync(all, t < 32);
  unsigned same = __match_any_sync(all, t / 8);
  int agree;
  unsigned common = __match_all_sync(all, 5, &agree);
  unsigned sum = __reduce_add_sync(all, t), low = __reduce_min_sync(all, t + 3), high = __reduce_max_sync(all, t);
  unsigned bits = __reduce_or_sync(all, 1u << t), parity = __reduce_xor_sync(all, t), both = __reduce_and_sync(all, t | 64);
  int lowest = __reduce_min_sync(all, -int(t));
  bool good = odd == 0xaaaaaaaa && any && !none && every && same == 0xffu << t / 8 * 8 && agree && common == all;
  good = good && sum == 496 && low == 3 && high == 31 && bits == all && parity == 0 && both == 64 && lowest == -31;
  out[t] = good;
}
int main() {
  unsigned* out = device(std::vector<unsigned>(32));
  ask<<<1, 32>>>(out);
  bool good = true;
  for (unsigned v : host(out, 32)) good &= v;
  return verdict(good);
}
