// expect: device-pointer global @read
#include "../small.h"
int main() {
  float* x = device(ramp(32));
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += x[i];  // @read
  return sum < 0;
}
