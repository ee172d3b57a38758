#include "../small.h"
__global__ void wide(const float4* in, float4* out, double2* pairs, uchar4* bytes) {
  float4 v = in[threadIdx.x];
  v.x *= 2;
  out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
  pairs[threadIdx.x] = make_double2(v.x, v.y);
  bytes[threadIdx.x] = make_uchar4(1, 2, 3, threadIdx.x);
}
int main() {
  static_assert(alignof(float4) == 16 && sizeof(float3) == 12 && alignof(double2) == 16 && sizeof(uchar4) == 4);
  float* out = device(std::vector<float>(64));
  double* pairs = device(std::vector<double>(32));
  unsigned char* bytes = device(std::vector<unsigned char>(64));
  wide<<<1, 16>>>((float4*)device(ramp(64)), (float4*)out, (double2*)pairs, (uchar4*)bytes);
  return verdict(host(out, 64)[7] == 8 && host(pairs, 32)[3] == 5 && host(bytes, 64)[63] == 15);
}
