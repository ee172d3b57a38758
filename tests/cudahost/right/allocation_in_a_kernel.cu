#include "../small.h"
__global__ void own(int* out) {
  int* mine = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) mine[i] = threadIdx.x + i;
  out[threadIdx.x] = mine[3];
  free(mine);
}
int main() {
  int* out = device(std::vector<int>(8));
  own<<<1, 8>>>(out);
  return verdict(host(out, 8)[7] == 10);
}
