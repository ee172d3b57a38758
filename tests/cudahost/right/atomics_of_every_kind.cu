#include "../small.h"
__global__ void all(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  int t = threadIdx.x + 64 * blockIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], 1);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicExch(&i[4], 7);
  atomicAnd(&u[0], ~(1u << t % 32));
  atomicOr(&u[1], 1u << t % 32);
  atomicXor(&u[2], 1u << t % 32);
  atomicInc(&u[3], 9);
  atomicDec(&u[4], 9);
  atomicAdd(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)t);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
  atomicAdd_block(&i[8 + blockIdx.x], 1);
  atomicAdd_system(&i[5], 1);
}
int main() {
  int* i = device(std::vector<int>(16));
  unsigned* u = device(std::vector<unsigned>{~0u, 0, 0, 0, 0});
  unsigned long long* l = device(std::vector<unsigned long long>(2));
  float* f = device(std::vector<float>(1));
  double* d = device(std::vector<double>(1));
  all<<<2, 64>>>(i, u, l, f, d);
  auto hi = host(i, 16);
  auto hu = host(u, 5);
  auto hl = host(l, 2);
  bool good = hi[0] == 128 * 127 / 2 && hi[1] == -128 && hi[2] == -127 && hi[3] == 127 && hi[4] == 7 && hi[5] == 128 && hi[8] == 64 && hi[9] == 64;
  good &= hu[0] == 0 && hu[1] == ~0u && hu[2] == 0 && hu[3] == 128 % 10 && hu[4] == 2;
  good &= hl[0] == 128ull << 33 && hl[1] == 127 && host(f, 1)[0] == 64 && host(d, 1)[0] == 32;
  return verdict(good);
}
