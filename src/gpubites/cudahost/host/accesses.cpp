// Every load and store of the program. The compiler's thread sanitizer calls these functions before each one; its own runtime
// is not linked. Host code comes by here too, which is how a device pointer used on the host is noticed.
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

extern "C" char __data_start, _end, __executable_start;

namespace cudahost {

bool in_stack(const Thread& thread, Address a);
bool in_any_stack(Address a);
bool stack_overflows(const Thread& thread);
void host_touches(Allocation& allocation, Address a, unsigned size, bool writes, Site site);
void kernel_touches_host_memory(Thread& thread, Allocation& allocation, Address a, unsigned size, bool writes, Site site);

namespace {

bool is_mapped(Address a) {
  unsigned char resident;
  return mincore(reinterpret_cast<void*>(a / PAGE * PAGE), 1, &resident) == 0;
}

Finding finding(const char* kind, const Thread& t, Space space, unsigned size, unsigned flags, Site site) {
  Finding found(kind);
  found.space(space).at(site).thread(t).text("access", flags & ATOMIC ? "atomic" : flags & WRITE ? "write" : "read").number("bytes", size);
  return found;
}

// Memory that a CUDA thread cannot reach, its own stack excepted.
void outside(Thread& t, Address a, unsigned size, unsigned flags, Site site) {
  if (in_stack(t, a)) {
    if (stack_overflows(t)) {
      finding("stack-overflow", t, Space::local, size, flags, site).report();
      abandon(cudaErrorHardwareStackError);
    }
    return;
  }
  if (t.entering) return;
  Address image = Address(&__executable_start), data = Address(&__data_start), end = Address(&_end);
  if (a >= image && a < data) return;  // constants of the program
  if (a >= data && a < end) {
    // The name of a device variable is a reference: what is read here is where the variable lies.
    if (size == 8 && !(flags & WRITE) && is_device_variable(*reinterpret_cast<Address*>(a))) return;
    finding("host-pointer", t, Space::host, size, flags, site).text("what", "variable").number("address", (long long)a).report();
  } else if (in_any_stack(a)) {
    finding("out-of-bounds", t, Space::local, size, flags, site).text("what", "other-stack").report();
  } else if (a < PAGE) {
    finding("out-of-bounds", t, Space::global, size, flags, site).text("what", "null").number("offset", (long long)a).report();
  } else if (!is_mapped(a)) {
    finding("out-of-bounds", t, Space::global, size, flags, site).text("what", "wild").report();
  } else {
    finding("host-pointer", t, Space::host, size, flags, site).text("what", "pointer").report();
  }
  abandon(cudaErrorIllegalAddress);
}

void from_host(Address a, unsigned size, unsigned flags, Site site) {
  Allocation* it = allocation_of(a);
  Allocation* beside = it ? it : allocation_near(a);
  if (!beside) return;
  bool host_memory = beside->space == Space::managed || beside->space == Space::pinned;
  if (!host_memory) {
    Finding found("device-pointer");
    found.space(beside->space).at(site).text("access", flags & WRITE ? "write" : "read").number("bytes", size).object(*beside, a).report();
    stop(139);  // a segmentation fault, had this been a GPU's memory
  }
  if (!it || a + size > it->end || it->freed) {
    Finding found(beside->freed ? "use-after-free" : "out-of-bounds");
    found.space(beside->space).at(site).text("access", flags & WRITE ? "write" : "read").number("bytes", size).object(*beside, a).report();
    return;
  }
  host_touches(*it, a, size, flags & WRITE, site);
  if (flags & WRITE) mark_written(a, size);
}

}  // namespace

void access(Address a, unsigned size, unsigned flags, Site site) {
  Thread* t = current;
  ++signs_of_life;
  if (!in_arena(a)) {
    if (t) outside(*t, a, size, flags, site);
    return;
  }
  if (!t) return from_host(a, size, flags, site);

  settle(*t);
  t->left_early = false;
  if (schedule == Schedule::random && !(flags & ATOMIC) && random_bits() % (flags & VOLATILE ? 2 : 24) == 0) switch_point();

  Allocation* it = allocation_of(a);
  bool foreign = it && it->owner && it->owner != t->block;
  if (!it || a + size > it->end || it->freed || foreign) {
    Allocation* beside = it ? it : allocation_near(a);
    Finding found = finding(beside && beside->freed ? "use-after-free" : "out-of-bounds", *t, beside ? beside->space : Space::global, size, flags, site);
    if (foreign) found.text("what", "other-block");
    if (beside) found.object(*beside, a);
    found.report();
    return;
  }
  if (!(flags & RANGE) && a % size) {
    finding("misaligned", *t, it->space, size, flags, site).object(*it, a).report();
    abandon(cudaErrorMisalignedAddress);
  }
  if (it->space == Space::constant && flags & (WRITE | ATOMIC)) {
    finding("constant-written", *t, it->space, size, flags, site).object(*it, a).report();
    return;
  }
  if (flags & (WRITE | ATOMIC)) {
    if (flags & ATOMIC && all_unwritten(a, size)) finding("uninitialized", *t, it->space, size, flags, site).object(*it, a).report();
    mark_written(a, size);
  } else if (all_unwritten(a, size)) {
    finding("uninitialized", *t, it->space, size, flags, site).object(*it, a).report();
    mark_written(a, size);  // said once
  }
  if (it->space == Space::managed || it->space == Space::pinned) kernel_touches_host_memory(*t, *it, a, size, flags & (WRITE | ATOMIC), site);

  if (flags & WRITE && size <= 16) {
    t->write.address = a;
    t->write.size = size;
    memcpy(t->write.old, reinterpret_cast<const void*>(a), size);
  }
  if (flags & VOLATILE) {
    if (flags & WRITE) publish(*t, a, false);
    else learn(*t, a);
  }
  if (t->read.address) settle_read(*t, a, flags & ATOMIC);
  if (it->space != Space::constant) check_race(*t, *it, a, size, flags, site);
  if (!(flags & (WRITE | ATOMIC | VOLATILE)) && size <= 8) {
    t->read.address = a;
    t->read.size = size;
  }
  if (tracing && !t->untraced) trace_access(*t, *it, a, size, flags, site);

  if (flags & (VOLATILE | ATOMIC)) return;
  // `while (!flag)` without volatile: on a GPU it may never end. Here others get their turn, and the watchdog its chance.
  if (!(flags & WRITE) && t->idle_site[0] == site && t->idle_address[0] == a) {
    if (++t->same_reads > 20000) yield_spinning();
  } else {
    t->same_reads = t->idle_streak = 0;
    t->idle_site[0] = site;
    t->idle_address[0] = a;
  }
}

namespace {

// Looking at the same place again and again without changing anything is waiting for somebody.
void idle(Thread& t, Site site, Address a) {
  for (int i = 0; i < 2; ++i)
    if (t.idle_site[i] == site && t.idle_address[i] == a) {
      ++t.idle_streak;
      return yield_spinning();
    }
  t.idle_streak = 0;
  t.idle_site[1] = t.idle_site[0];
  t.idle_address[1] = t.idle_address[0];
  t.idle_site[0] = site;
  t.idle_address[0] = a;
}

void volatile_access(Address a, unsigned size, unsigned flags, Site site) {
  if (current && in_arena(a) && !(flags & WRITE)) idle(*current, site, a);
  access(a, size, flags | (size <= 8 ? VOLATILE : 0), site);
}

}  // namespace

void atomic_begins(void* address, unsigned bytes, Scope scope) {
  Site site = CUDAHOST_SITE;
  Address a = Address(address);
  Thread* t = current;
  if (!t) {
    if (in_arena(a)) access(a, bytes, WRITE, site);
    return;
  }
  if (schedule == Schedule::random && random_bits() % 2) {
    settle(*t);
    switch_point();
  }
  access(a, bytes, ATOMIC | (scope == Scope::block ? BLOCK_SCOPE : 0), site);
  t->site = site;
}

void atomic_ends(void* address, unsigned, bool changed) {
  Thread* t = current;
  Address a = Address(address);
  if (!t || !in_arena(a)) return;
  learn(*t, a);
  publish(*t, a, true);
  if (changed) {
    ++progress;
    t->idle_streak = 0;
    t->idle_site[0] = t->idle_site[1] = 0;
  } else {
    idle(*t, t->site, a);
  }
}

}  // namespace cudahost

using namespace cudahost;

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** p, void*) { access(Address(p), sizeof *p, WRITE, CUDAHOST_SITE); }
void __tsan_vptr_read(void** p) { access(Address(p), sizeof *p, READ, CUDAHOST_SITE); }

#define CUDAHOST_HOOKS(N)                                                                                            \
  void __tsan_read##N(void* p) { access(Address(p), N, READ, CUDAHOST_SITE); }                                       \
  void __tsan_write##N(void* p) { access(Address(p), N, WRITE, CUDAHOST_SITE); }                                     \
  void __tsan_read_write##N(void* p) { access(Address(p), N, READ, CUDAHOST_SITE); access(Address(p), N, WRITE, CUDAHOST_SITE); } \
  void __tsan_unaligned_read##N(void* p) { access(Address(p), N, READ, CUDAHOST_SITE); }                             \
  void __tsan_unaligned_write##N(void* p) { access(Address(p), N, WRITE, CUDAHOST_SITE); }                           \
  void __tsan_unaligned_read_write##N(void* p) { access(Address(p), N, READ, CUDAHOST_SITE); access(Address(p), N, WRITE, CUDAHOST_SITE); } \
  void __tsan_volatile_read##N(void* p) { volatile_access(Address(p), N, READ, CUDAHOST_SITE); }                     \
  void __tsan_volatile_write##N(void* p) { volatile_access(Address(p), N, WRITE, CUDAHOST_SITE); }                   \
  void __tsan_unaligned_volatile_read##N(void* p) { volatile_access(Address(p), N, READ, CUDAHOST_SITE); }           \
  void __tsan_unaligned_volatile_write##N(void* p) { volatile_access(Address(p), N, WRITE, CUDAHOST_SITE); }
CUDAHOST_HOOKS(1)
CUDAHOST_HOOKS(2)
CUDAHOST_HOOKS(4)
CUDAHOST_HOOKS(8)
CUDAHOST_HOOKS(16)

void __tsan_read_range(void* p, size_t n) { if (n) access(Address(p), unsigned(n), READ | RANGE, CUDAHOST_SITE); }
void __tsan_write_range(void* p, size_t n) { if (n) access(Address(p), unsigned(n), WRITE | RANGE, CUDAHOST_SITE); }

// Atomics of the host's own code (std::atomic, std::shared_ptr): one OS thread, so the plain operation does.
#define CUDAHOST_HOST_ATOMICS(BITS, T)                                                                               \
  T __tsan_atomic##BITS##_load(const volatile T* a, int) { return *a; }                                              \
  void __tsan_atomic##BITS##_store(volatile T* a, T v, int) { *a = v; }                                              \
  T __tsan_atomic##BITS##_exchange(volatile T* a, T v, int) { T old = *a; *a = v; return old; }                      \
  T __tsan_atomic##BITS##_fetch_add(volatile T* a, T v, int) { T old = *a; *a = T(old + v); return old; }            \
  T __tsan_atomic##BITS##_fetch_sub(volatile T* a, T v, int) { T old = *a; *a = T(old - v); return old; }            \
  T __tsan_atomic##BITS##_fetch_and(volatile T* a, T v, int) { T old = *a; *a = T(old & v); return old; }            \
  T __tsan_atomic##BITS##_fetch_or(volatile T* a, T v, int) { T old = *a; *a = T(old | v); return old; }             \
  T __tsan_atomic##BITS##_fetch_xor(volatile T* a, T v, int) { T old = *a; *a = T(old ^ v); return old; }            \
  bool __tsan_atomic##BITS##_compare_exchange_strong(volatile T* a, T* c, T v, int, int) {                           \
    if (*a == *c) { *a = v; return true; }                                                                           \
    *c = *a;                                                                                                         \
    return false;                                                                                                    \
  }                                                                                                                  \
  bool __tsan_atomic##BITS##_compare_exchange_weak(volatile T* a, T* c, T v, int x, int y) { return __tsan_atomic##BITS##_compare_exchange_strong(a, c, v, x, y); } \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T* a, T c, T v, int, int) { T old = *a; if (old == c) *a = v; return old; }
CUDAHOST_HOST_ATOMICS(8, uint8_t)
CUDAHOST_HOST_ATOMICS(16, uint16_t)
CUDAHOST_HOST_ATOMICS(32, uint32_t)
CUDAHOST_HOST_ATOMICS(64, uint64_t)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

// The program's calls of these are renamed when it is linked: a block copy is an access like any other.
static void whole(const void* p, size_t n, unsigned flags, Site site) {
  if (n && (current || in_arena(Address(p)))) access(Address(p), unsigned(n), flags | (n == 2 || n == 4 || n == 8 || n == 16 ? 0u : unsigned(RANGE)), site);
}
void* cudahost_memcpy(void* to, const void* from, size_t n) {
  whole(from, n, READ, CUDAHOST_SITE);
  whole(to, n, WRITE, CUDAHOST_SITE);
  return memcpy(to, from, n);
}
void* cudahost_memmove(void* to, const void* from, size_t n) {
  whole(from, n, READ, CUDAHOST_SITE);
  whole(to, n, WRITE, CUDAHOST_SITE);
  return memmove(to, from, n);
}
void* cudahost_memset(void* to, int value, size_t n) {
  whole(to, n, WRITE | RANGE, CUDAHOST_SITE);
  return memset(to, value, n);
}
void* __tsan_memcpy(void* to, const void* from, size_t n) { return cudahost_memcpy(to, from, n); }
void* __tsan_memmove(void* to, const void* from, size_t n) { return cudahost_memmove(to, from, n); }
void* __tsan_memset(void* to, int value, size_t n) { return cudahost_memset(to, value, n); }

}  // extern "C"
