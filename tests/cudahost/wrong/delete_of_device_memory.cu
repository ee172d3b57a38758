// expect: invalid-free global @delete
#include "../small.h"
int main() {
  float* x = device(ramp(4));
  delete[] x;  // @delete
  return 0;
}
