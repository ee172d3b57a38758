// uint3, dim3 and the vector types with CUDA's sizes and alignments.
#pragma once

namespace cudahost {
// A copy: made in place, the store of a vector would be one store for each of its parts.
template <class Vector>
CUDAHOST_CALL Vector whole(const Vector& made) { return made; }
}  // namespace cudahost

#define CUDAHOST_VECTORS(Scalar, Name, Align2, Align4)                                                             \
  struct Name##1 { Scalar x; };                                                                                    \
  struct alignas(Align2) Name##2 { Scalar x, y; };                                                                 \
  struct Name##3 { Scalar x, y, z; };                                                                              \
  struct alignas(Align4) Name##4 { Scalar x, y, z, w; };                                                           \
  CUDAHOST_CALL Name##1 make_##Name##1(Scalar x) { return cudahost::whole(Name##1{x}); }                           \
  CUDAHOST_CALL Name##2 make_##Name##2(Scalar x, Scalar y) { return cudahost::whole(Name##2{x, y}); }              \
  CUDAHOST_CALL Name##3 make_##Name##3(Scalar x, Scalar y, Scalar z) { return cudahost::whole(Name##3{x, y, z}); } \
  CUDAHOST_CALL Name##4 make_##Name##4(Scalar x, Scalar y, Scalar z, Scalar w) { return cudahost::whole(Name##4{x, y, z, w}); }

CUDAHOST_VECTORS(signed char, char, 2, 4)
CUDAHOST_VECTORS(unsigned char, uchar, 2, 4)
CUDAHOST_VECTORS(short, short, 4, 8)
CUDAHOST_VECTORS(unsigned short, ushort, 4, 8)
CUDAHOST_VECTORS(int, int, 8, 16)
CUDAHOST_VECTORS(unsigned, uint, 8, 16)
CUDAHOST_VECTORS(long, long, 16, 16)
CUDAHOST_VECTORS(unsigned long, ulong, 16, 16)
CUDAHOST_VECTORS(long long, longlong, 16, 16)
CUDAHOST_VECTORS(unsigned long long, ulonglong, 16, 16)
CUDAHOST_VECTORS(float, float, 8, 16)
CUDAHOST_VECTORS(double, double, 16, 16)
#undef CUDAHOST_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
