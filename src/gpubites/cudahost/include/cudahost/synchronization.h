// Barriers, fences and warp collectives.
#pragma once
#include "language.h"

namespace cudahost {

// Every lane of `mask` hands in a deposit; the last one to come runs `finish` over all of them, and all go on.
// A lane that is absent (exited, or beyond the block) has a null deposit.
using Finish = void (*)(void* const deposits[32], void* shared);
enum class Collective : int { syncwarp, shuffle, vote, match, reduce, matrix };
void meet(Collective kind, unsigned mask, void* deposit, Finish finish, int line = __builtin_LINE());
void undefined_lane(int source);  // this lane has read one that is not there: undefined in CUDA
unsigned lane_id();
unsigned undefined_bits();        // what stands for an undefined value; differs from run to run

int barrier_count(int predicate, int line);
int barrier_and(int predicate, int line);
int barrier_or(int predicate, int line);

template <class T>
T undefined_value() {
  T value;
  memset(static_cast<void*>(&value), int(undefined_bits()), sizeof value);
  return value;
}

template <class T>
struct Deposit {
  T value;
  T result;
  int source;
  bool missing;
};

template <class T>
CUDAHOST_PLAIN inline void finish_shuffle(void* const deposits[32], void*) {
  for (int lane = 0; lane < 32; ++lane) {
    auto* mine = static_cast<Deposit<T>*>(deposits[lane]);
    if (!mine) continue;
    auto* from = static_cast<Deposit<T>*>(deposits[mine->source]);
    mine->missing = !from;
    mine->result = from ? from->value : undefined_value<T>();
  }
}

template <class T>
CUDAHOST_CALL T shuffle(unsigned mask, T value, int source, int line) {
  static_assert(std::is_trivially_copyable_v<T>);
  Deposit<T> mine{value, value, source, false};
  meet(Collective::shuffle, mask, &mine, &finish_shuffle<T>, line);
  if (mine.missing) undefined_lane(source);
  return mine.result;
}

template <class T, class Combine>
CUDAHOST_PLAIN inline void finish_fold(void* const deposits[32], void*) {
  bool first = true;
  T folded{};
  for (int lane = 0; lane < 32; ++lane)
    if (auto* mine = static_cast<Deposit<T>*>(deposits[lane])) {
      folded = first ? mine->value : Combine()(folded, mine->value);
      first = false;
    }
  for (int lane = 0; lane < 32; ++lane)
    if (auto* mine = static_cast<Deposit<T>*>(deposits[lane])) mine->result = folded;
}

template <class Combine, class T>
CUDAHOST_CALL T fold(Collective kind, unsigned mask, T value, int line) {
  Deposit<T> mine{value, value, 0, false};
  meet(kind, mask, &mine, &finish_fold<T, Combine>, line);
  return mine.result;
}

struct Add { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return a + b; } };
struct Min { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return b < a ? b : a; } };
struct Max { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return a < b ? b : a; } };
struct And { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return a & b; } };
struct Or { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return a | b; } };
struct Xor { template <class T> CUDAHOST_PLAIN T operator()(T a, T b) const { return a ^ b; } };

template <class T>
CUDAHOST_PLAIN inline void finish_match(void* const deposits[32], void*) {
  for (int lane = 0; lane < 32; ++lane)
    if (auto* mine = static_cast<Deposit<T>*>(deposits[lane])) {
      unsigned same = 0;
      for (int other = 0; other < 32; ++other)
        if (auto* theirs = static_cast<Deposit<T>*>(deposits[other]); theirs && !memcmp(&theirs->value, &mine->value, sizeof(T))) same |= 1u << other;
      mine->source = int(same);
    }
}

template <class T>
CUDAHOST_CALL unsigned match(unsigned mask, T value, int line) {
  Deposit<T> mine{value, value, 0, false};
  meet(Collective::match, mask, &mine, &finish_match<T>, line);
  return unsigned(mine.source);
}

CUDAHOST_CALL unsigned ballot(unsigned mask, int predicate, int line) {
  return fold<Or>(Collective::vote, mask, predicate ? 1u << lane_id() : 0u, line);
}

}  // namespace cudahost

void __syncthreads(int line = __builtin_LINE());
CUDAHOST_CALL int __syncthreads_count(int predicate, int line = __builtin_LINE()) { return cudahost::barrier_count(predicate, line); }
CUDAHOST_CALL int __syncthreads_and(int predicate, int line = __builtin_LINE()) { return cudahost::barrier_and(predicate, line); }
CUDAHOST_CALL int __syncthreads_or(int predicate, int line = __builtin_LINE()) { return cudahost::barrier_or(predicate, line); }
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned nanoseconds);
[[noreturn]] void __trap();
unsigned __activemask();

CUDAHOST_CALL void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
  cudahost::meet(cudahost::Collective::syncwarp, mask, &mask, nullptr, line);
}

template <class T>
CUDAHOST_CALL T __shfl_sync(unsigned mask, T value, int source, int width = 32, int line = __builtin_LINE()) {
  int lane = int(cudahost::lane_id()), first = lane & ~(width - 1);
  return cudahost::shuffle(mask, value, first + (source & (width - 1)), line);
}
template <class T>
CUDAHOST_CALL T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
  int lane = int(cudahost::lane_id()), first = lane & ~(width - 1);
  return cudahost::shuffle(mask, value, lane - first >= int(delta) ? lane - int(delta) : lane, line);
}
template <class T>
CUDAHOST_CALL T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
  int lane = int(cudahost::lane_id()), first = lane & ~(width - 1);
  return cudahost::shuffle(mask, value, lane - first + int(delta) < width ? lane + int(delta) : lane, line);
}
template <class T>
CUDAHOST_CALL T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, int line = __builtin_LINE()) {
  int lane = int(cudahost::lane_id()), first = lane & ~(width - 1), source = lane ^ bits;
  // A source in a later segment is out of reach, one in an earlier segment is not.
  return cudahost::shuffle(mask, value, source < first + width ? source : lane, line);
}

CUDAHOST_CALL unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) { return cudahost::ballot(mask, predicate, line); }
CUDAHOST_CALL int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) { return cudahost::ballot(mask, predicate, line) != 0; }
CUDAHOST_CALL int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) { return cudahost::ballot(mask, !predicate, line) == 0; }
template <class T>
CUDAHOST_CALL unsigned __match_any_sync(unsigned mask, T value, int line = __builtin_LINE()) { return cudahost::match(mask, value, line); }
template <class T>
CUDAHOST_CALL unsigned __match_all_sync(unsigned mask, T value, int* all, int line = __builtin_LINE()) {
  unsigned same = cudahost::match(mask, value, line);
  unsigned present = cudahost::ballot(mask, 1, line);
  *all = same == present;
  return *all ? present : 0;
}

#define CUDAHOST_REDUCE(name, Combine, T)                                                                    \
  CUDAHOST_CALL T name(unsigned mask, T value, int line = __builtin_LINE()) {                                \
    return cudahost::fold<cudahost::Combine>(cudahost::Collective::reduce, mask, value, line);               \
  }
CUDAHOST_REDUCE(__reduce_add_sync, Add, int) CUDAHOST_REDUCE(__reduce_add_sync, Add, unsigned)
CUDAHOST_REDUCE(__reduce_min_sync, Min, int) CUDAHOST_REDUCE(__reduce_min_sync, Min, unsigned)
CUDAHOST_REDUCE(__reduce_max_sync, Max, int) CUDAHOST_REDUCE(__reduce_max_sync, Max, unsigned)
CUDAHOST_REDUCE(__reduce_and_sync, And, unsigned) CUDAHOST_REDUCE(__reduce_or_sync, Or, unsigned) CUDAHOST_REDUCE(__reduce_xor_sync, Xor, unsigned)
#undef CUDAHOST_REDUCE
