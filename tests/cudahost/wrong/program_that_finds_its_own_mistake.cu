// expect: program-failed
#include "../small.h"
__global__ void square(float* x) { x[threadIdx.x] += x[threadIdx.x]; }
int main() {
  float* x = device(ramp(32));
  square<<<1, 32>>>(x);
  return verdict(host(x, 32)[3] == 9);
}
