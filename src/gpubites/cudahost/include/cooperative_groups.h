// Cooperative groups of blocks, tiles and coalesced threads. Groups that span blocks are refused before compiling.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_group {
 public:
  CUDAHOST_CALL unsigned long long size() const { return size_; }
  CUDAHOST_CALL unsigned long long num_threads() const { return size_; }
  CUDAHOST_CALL unsigned long long thread_rank() const { return rank_; }
  CUDAHOST_CALL void sync(int line = __builtin_LINE()) const {
    if (mask_) __syncwarp(mask_, line);
    else __syncthreads(line);
  }

 protected:
  CUDAHOST_CALL thread_group(unsigned size, unsigned rank, unsigned mask) : size_(size), rank_(rank), mask_(mask) {}
  unsigned size_, rank_;
  unsigned mask_;  // 0: the whole block
};

class thread_block : public thread_group {
 public:
  CUDAHOST_CALL thread_block()
      : thread_group(blockDim.x * blockDim.y * blockDim.z, (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, 0) {}
  CUDAHOST_CALL static void sync(int line = __builtin_LINE()) { __syncthreads(line); }
  CUDAHOST_CALL static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  CUDAHOST_CALL static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  CUDAHOST_CALL static unsigned num_threads() { return size(); }
  CUDAHOST_CALL static dim3 group_index() { return dim3(blockIdx); }
  CUDAHOST_CALL static dim3 thread_index() { return dim3(threadIdx); }
  CUDAHOST_CALL static dim3 group_dim() { return blockDim; }
  CUDAHOST_CALL static dim3 dim_threads() { return blockDim; }
};
CUDAHOST_CALL thread_block this_thread_block() { return thread_block(); }

// Part of a warp: its lanes are those of `mask_`, in order.
class warp_part : public thread_group {
 public:
  CUDAHOST_CALL unsigned size() const { return size_; }
  CUDAHOST_CALL unsigned num_threads() const { return size_; }
  CUDAHOST_CALL unsigned thread_rank() const { return rank_; }
  CUDAHOST_CALL void sync(int line = __builtin_LINE()) const { __syncwarp(mask_, line); }
  template <class T> CUDAHOST_CALL T shfl(T v, int source, int line = __builtin_LINE()) const { return cudahost::shuffle(mask_, v, lane_of(unsigned(source) % size_), line); }
  template <class T> CUDAHOST_CALL T shfl_down(T v, unsigned delta, int line = __builtin_LINE()) const {
    return cudahost::shuffle(mask_, v, lane_of(rank_ + delta < size_ ? rank_ + delta : rank_), line);
  }
  template <class T> CUDAHOST_CALL T shfl_up(T v, unsigned delta, int line = __builtin_LINE()) const {
    return cudahost::shuffle(mask_, v, lane_of(rank_ >= delta ? rank_ - delta : rank_), line);
  }
  template <class T> CUDAHOST_CALL T shfl_xor(T v, unsigned bits, int line = __builtin_LINE()) const {
    return cudahost::shuffle(mask_, v, lane_of((rank_ ^ bits) < size_ ? rank_ ^ bits : rank_), line);
  }
  CUDAHOST_CALL int any(int predicate, int line = __builtin_LINE()) const { return cudahost::ballot(mask_, predicate, line) != 0; }
  CUDAHOST_CALL int all(int predicate, int line = __builtin_LINE()) const { return cudahost::ballot(mask_, !predicate, line) == 0; }
  CUDAHOST_CALL unsigned ballot(int predicate, int line = __builtin_LINE()) const { return packed(cudahost::ballot(mask_, predicate, line)); }
  template <class T> CUDAHOST_CALL unsigned match_any(T v, int line = __builtin_LINE()) const { return packed(cudahost::match(mask_, v, line)); }
  CUDAHOST_CALL unsigned mask() const { return mask_; }

 protected:
  CUDAHOST_CALL warp_part(unsigned size, unsigned rank, unsigned mask) : thread_group(size, rank, mask) {}
  CUDAHOST_CALL int lane_of(unsigned rank) const {
    unsigned lanes = mask_;
    while (rank--) lanes &= lanes - 1;
    return __builtin_ctz(lanes);
  }
  CUDAHOST_CALL unsigned packed(unsigned bits) const {
    unsigned out = 0, at = 0;
    for (unsigned lanes = mask_; lanes; lanes &= lanes - 1, ++at) out |= (bits >> __builtin_ctz(lanes) & 1) << at;
    return out;
  }
};

template <unsigned Size, class Parent = thread_block>
class thread_block_tile : public warp_part {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "tiles of more than 32 threads are not covered by the host run");

 public:
  CUDAHOST_CALL thread_block_tile()
      : warp_part(Size, cudahost::lane_id() % Size, unsigned(((1ull << Size) - 1) << (cudahost::lane_id() / Size * Size))) {}
  CUDAHOST_CALL unsigned meta_group_rank() const { return thread_block::thread_rank() / Size; }
  CUDAHOST_CALL unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
  CUDAHOST_CALL static constexpr unsigned size() { return Size; }
  CUDAHOST_CALL static constexpr unsigned num_threads() { return Size; }
};
template <unsigned Size, class Parent>
CUDAHOST_CALL thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return {}; }

// Which threads run together is not defined, and on the host each runs alone: a group of one is a legal answer.
class coalesced_group : public warp_part {
 public:
  CUDAHOST_CALL coalesced_group() : warp_part(1, 0, 1u << cudahost::lane_id()) {}
};
CUDAHOST_CALL coalesced_group coalesced_threads() { return {}; }

template <class Group>
CUDAHOST_CALL void sync(const Group& group, int line = __builtin_LINE()) { group.sync(line); }

template <class T> struct plus { CUDAHOST_PLAIN T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { CUDAHOST_PLAIN T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { CUDAHOST_PLAIN T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { CUDAHOST_PLAIN T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { CUDAHOST_PLAIN T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { CUDAHOST_PLAIN T operator()(T a, T b) const { return a ^ b; } };
template <class Group, class T, class Combine>
CUDAHOST_CALL T reduce(const Group& group, T value, Combine, int line = __builtin_LINE()) {
  return cudahost::fold<Combine>(cudahost::Collective::reduce, group.mask(), value, line);
}

// The copies of a group land when its threads wait.
template <class Group, class T>
CUDAHOST_CALL void memcpy_async(const Group& group, T* to, const T* from, size_t bytes) {
  size_t count = bytes / sizeof(T);
  for (size_t i = group.thread_rank(); i < count; i += group.size()) to[i] = from[i];
}
template <class Group>
CUDAHOST_CALL void wait(const Group& group, int line = __builtin_LINE()) { group.sync(line); }

}  // namespace cooperative_groups
