// Atomic functions, of device, block and system scope. Each is one step that no other thread can interrupt.
#pragma once
#include "language.h"

namespace cudahost {

enum class Scope : int { block, device, system };
void atomic_begins(void* address, unsigned bytes, Scope scope);  // checks it, and may let other threads run first
void atomic_ends(void* address, unsigned bytes, bool changed);

template <class T>
struct Stepped {
  T old;
  bool changed;
};

template <class T, class Step>
CUDAHOST_PLAIN inline Stepped<T> step(T* address, Step next) {
  T old;
  __builtin_memcpy(&old, address, sizeof old);
  T now = next(old);
  __builtin_memcpy(address, &now, sizeof now);
  return {old, __builtin_memcmp(&old, &now, sizeof old) != 0};
}

template <class T, class Step>
CUDAHOST_CALL T atomically(T* address, Scope scope, Step next) {
  atomic_begins(address, sizeof(T), scope);
  Stepped<T> done = step(address, next);
  atomic_ends(address, sizeof(T), done.changed);
  return done.old;
}

}  // namespace cudahost

#define CUDAHOST_ATOMIC_STEP(T, name, scope, suffix, expression)                                                          \
  CUDAHOST_CALL T name##suffix(T* address, T value) {                                                                     \
    return cudahost::atomically(address, cudahost::Scope::scope, [=](T old) CUDAHOST_STEP { return static_cast<T>(expression); });     \
  }
#define CUDAHOST_STEP __attribute__((no_sanitize("thread")))
#define CUDAHOST_ATOMIC(T, name, expression)                \
  CUDAHOST_ATOMIC_STEP(T, name, device, , expression)       \
  CUDAHOST_ATOMIC_STEP(T, name, block, _block, expression)  \
  CUDAHOST_ATOMIC_STEP(T, name, system, _system, expression)
#define CUDAHOST_ATOMICS(T)                             \
  CUDAHOST_ATOMIC(T, atomicAdd, old + value)            \
  CUDAHOST_ATOMIC(T, atomicExch, value)
#define CUDAHOST_ATOMICS_INTEGER(T)                     \
  CUDAHOST_ATOMICS(T)                                   \
  CUDAHOST_ATOMIC(T, atomicSub, old - value)            \
  CUDAHOST_ATOMIC(T, atomicMin, value < old ? value : old) \
  CUDAHOST_ATOMIC(T, atomicMax, old < value ? value : old) \
  CUDAHOST_ATOMIC(T, atomicAnd, old & value)            \
  CUDAHOST_ATOMIC(T, atomicOr, old | value)             \
  CUDAHOST_ATOMIC(T, atomicXor, old ^ value)            \
  CUDAHOST_CAS(T, device, ) CUDAHOST_CAS(T, block, _block) CUDAHOST_CAS(T, system, _system)
#define CUDAHOST_CAS(T, scope, suffix)                                                                                    \
  CUDAHOST_CALL T atomicCAS##suffix(T* address, T compare, T value) {                                                     \
    return cudahost::atomically(address, cudahost::Scope::scope, [=](T old) CUDAHOST_STEP { return old == compare ? value : old; }); \
  }

CUDAHOST_ATOMICS_INTEGER(int)
CUDAHOST_ATOMICS_INTEGER(unsigned)
CUDAHOST_ATOMICS_INTEGER(unsigned long long)
CUDAHOST_ATOMICS_INTEGER(long long)
CUDAHOST_CAS(unsigned short, device, )
CUDAHOST_ATOMICS(float)
CUDAHOST_ATOMICS(double)
CUDAHOST_ATOMIC(unsigned, atomicInc, old >= value ? 0u : old + 1)
CUDAHOST_ATOMIC(unsigned, atomicDec, old == 0 || old > value ? value : old - 1)
// Of a vector each part is added by itself, as CUDA has it.
CUDAHOST_CALL float2 atomicAdd(float2* address, float2 value) { return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)}; }
CUDAHOST_CALL float4 atomicAdd(float4* address, float4 value) {
  return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
// Literals: atomicAdd(&unsigned_counter, 1) converts, as in CUDA, because the pointer decides.
#undef CUDAHOST_CAS
#undef CUDAHOST_ATOMICS_INTEGER
#undef CUDAHOST_ATOMICS
#undef CUDAHOST_ATOMIC_STEP
