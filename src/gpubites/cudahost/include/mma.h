// WMMA. Which lane holds which element is not defined by CUDA; here lane l holds elements l, l + 32, l + 64, … in row order.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

template <class Use, int M, int N, int K>
struct Shape;
template <int M, int N, int K>
struct Shape<matrix_a, M, N, K> { static constexpr int rows = M, columns = K; };
template <int M, int N, int K>
struct Shape<matrix_b, M, N, K> { static constexpr int rows = K, columns = N; };
template <int M, int N, int K>
struct Shape<accumulator, M, N, K> { static constexpr int rows = M, columns = N; };
template <class T>
struct Stored { using type = T; };
template <>
struct Stored<precision::tf32> { using type = float; };

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert((M == 16 && N == 16 && (K == 16 || K == 8)) || (M == 32 && N == 8 && K == 16) || (M == 8 && N == 32 && K == 16), "not a WMMA shape");
  using element_type = typename Stored<T>::type;
  using layout = Layout;
  static constexpr int rows = Shape<Use, M, N, K>::rows, columns = Shape<Use, M, N, K>::columns;
  static constexpr int num_elements = rows * columns / 32;
  element_type x[num_elements];
};

template <class F, class V>
CUDAHOST_CALL void fill_fragment(F& f, V value) {
  for (int i = 0; i < F::num_elements; ++i) f.x[i] = typename F::element_type(value);
}

CUDAHOST_CALL float __float_to_tf32(float x) { return cudahost_bits<float>((cudahost_bits<unsigned>(x) + 0x1000) & 0xffffe000u); }

template <class Use, int M, int N, int K, class T, class Layout, class P>
CUDAHOST_CALL void load_elements(fragment<Use, M, N, K, T, Layout>& f, const P* from, unsigned stride, bool by_row, int line) {
  using F = fragment<Use, M, N, K, T, Layout>;
  cudahost::meet(cudahost::Collective::matrix, 0xffffffffu, &f, nullptr, line);
  cudahost::Untraced here;  // these are not the loads that a GPU makes
  for (int i = 0; i < F::num_elements; ++i) {
    int e = int(cudahost::lane_id()) + 32 * i, row = e / F::columns, column = e % F::columns;
    f.x[i] = by_row ? from[row * stride + column] : from[column * stride + row];
  }
}
template <class Use, int M, int N, int K, class T, class Layout, class P>
CUDAHOST_CALL void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const P* from, unsigned stride, int line = __builtin_LINE()) {
  load_elements(f, from, stride, std::is_same_v<Layout, row_major>, line);
}
template <int M, int N, int K, class T, class P>
CUDAHOST_CALL void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const P* from, unsigned stride, layout_t layout, int line = __builtin_LINE()) {
  load_elements(f, from, stride, layout == mem_row_major, line);
}
template <int M, int N, int K, class T, class P>
CUDAHOST_CALL void store_matrix_sync(P* to, const fragment<accumulator, M, N, K, T>& f, unsigned stride, layout_t layout, int line = __builtin_LINE()) {
  using F = fragment<accumulator, M, N, K, T>;
  cudahost::Untraced here;
  for (int i = 0; i < F::num_elements; ++i) {
    int e = int(cudahost::lane_id()) + 32 * i, row = e / F::columns, column = e % F::columns;
    to[layout == mem_row_major ? row * stride + column : column * stride + row] = f.x[i];
  }
  cudahost::meet(cudahost::Collective::matrix, 0xffffffffu, (void*)&f, nullptr, line);
}

template <class D, class A, class B, class C>
struct Product {
  D* d;
  const A* a;
  const B* b;
  const C* c;
};
// The last lane to come computes for all: it sees every fragment.
template <class D, class A, class B, class C>
CUDAHOST_PLAIN inline void multiply(void* const deposits[32], void*) {
  auto of = [&](int lane) { return static_cast<Product<D, A, B, C>*>(deposits[lane]); };
  using Sum = std::conditional_t<std::is_integral_v<typename D::element_type>, int, float>;
  static typename D::element_type result[D::rows * D::columns];
  for (int row = 0; row < D::rows; ++row)
    for (int column = 0; column < D::columns; ++column) {
      int e = row * D::columns + column;
      if (!of(e % 32)) continue;
      Sum sum = Sum(of(e % 32)->c->x[e / 32]);
      for (int k = 0; k < A::columns; ++k) {
        int ea = row * A::columns + k, eb = k * B::columns + column;
        if (of(ea % 32) && of(eb % 32)) sum += Sum(of(ea % 32)->a->x[ea / 32]) * Sum(of(eb % 32)->b->x[eb / 32]);
      }
      result[e] = typename D::element_type(sum);
    }
  for (int e = 0; e < D::rows * D::columns; ++e)
    if (of(e % 32)) of(e % 32)->d->x[e / 32] = result[e];
}
template <int M, int N, int K, class TD, class TA, class LA, class TB, class LB, class TC>
CUDAHOST_CALL void mma_sync(fragment<accumulator, M, N, K, TD>& d, const fragment<matrix_a, M, N, K, TA, LA>& a,
                            const fragment<matrix_b, M, N, K, TB, LB>& b, const fragment<accumulator, M, N, K, TC>& c, int line = __builtin_LINE()) {
  using D = fragment<accumulator, M, N, K, TD>;
  using A = fragment<matrix_a, M, N, K, TA, LA>;
  using B = fragment<matrix_b, M, N, K, TB, LB>;
  using C = fragment<accumulator, M, N, K, TC>;
  Product<D, A, B, C> mine{&d, &a, &b, &c};
  cudahost::meet(cudahost::Collective::matrix, 0xffffffffu, &mine, &multiply<D, A, B, C>, line);
}

}  // namespace nvcuda::wmma
