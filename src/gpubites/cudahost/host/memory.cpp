// The device's address space. Every allocation begins on its own page and ends at its exact size; the gap behind it is its
// red zone, and addresses are never used twice, so a pointer that outlived its memory is always recognized.
#include <sys/mman.h>

#include <deque>

#include "host.h"

namespace cudahost {
namespace {

constexpr Address SMALLEST_GAP = 64 << 10, LARGEST_GAP = 16 << 20;

void* reserve(void* at, size_t bytes) {
  void* place = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (place == MAP_FAILED || (at && place != at)) {
    perror("cudahost: cannot reserve address space");
    stop(3);
  }
  return place;
}

struct Arena {
  std::deque<Allocation> allocations;   // in the order of their addresses
  uint32_t* page_owner;                 // page → 1 + index of the allocation it belongs to, red zones included
  uint8_t* written;                     // one bit per byte
  Address next = ARENA + SMALLEST_GAP;

  Arena() {
    reserve(reinterpret_cast<void*>(ARENA), ARENA_SIZE);
    page_owner = static_cast<uint32_t*>(reserve(nullptr, ARENA_SIZE / PAGE * sizeof(uint32_t)));
    written = static_cast<uint8_t*>(reserve(nullptr, ARENA_SIZE / 8));
  }
};

// Made when first asked for: variables in device memory are constructed before main.
Arena& arena() {
  static Arena* it = new Arena;
  return *it;
}

Address round_up(Address a, Address to) { return (a + to - 1) / to * to; }

}  // namespace

Allocation* new_allocation(size_t bytes, Space space, const std::string& name, Site site) {
  Arena& all = arena();
  if (bytes > arena_left()) return nullptr;
  Address gap = std::clamp<Address>(round_up(bytes, PAGE), SMALLEST_GAP, LARGEST_GAP);
  Address begin = all.next, end = begin + bytes, next = round_up(end, PAGE) + gap;
  if (next > ARENA + ARENA_SIZE) return nullptr;
  all.next = next;
  all.allocations.push_back({begin, end, space, name, site});
  uint32_t owner = uint32_t(all.allocations.size());
  for (Address page = (begin - ARENA) / PAGE; page < (next - ARENA) / PAGE; ++page) all.page_owner[page] = owner;
  poison(begin, bytes);
  return &all.allocations.back();
}

Allocation* allocation_of(Address a) {
  if (!in_arena(a)) return nullptr;
  Arena& all = arena();
  uint32_t owner = all.page_owner[(a - ARENA) / PAGE];
  if (!owner) return nullptr;
  Allocation& found = all.allocations[owner - 1];
  return a >= found.begin && a < found.end ? &found : nullptr;
}

Allocation* allocation_near(Address a) {
  if (!in_arena(a)) return nullptr;
  Arena& all = arena();
  if (all.allocations.empty()) return nullptr;
  uint32_t owner = all.page_owner[(a - ARENA) / PAGE];
  if (!owner) return a < all.allocations.front().begin ? &all.allocations.front() : &all.allocations.back();
  Allocation& before = all.allocations[owner - 1];
  if (a < before.end || owner == all.allocations.size()) return &before;
  Allocation& behind = all.allocations[owner];
  return a - before.end <= behind.begin - a ? &before : &behind;
}

void free_allocation(Allocation& allocation, Site site) {
  allocation.freed = true;
  allocation.freed_at = site;
  madvise(reinterpret_cast<void*>(allocation.begin), round_up(allocation.size(), PAGE), MADV_DONTNEED);
}

void poison(Address a, size_t bytes) {
  if (!bytes) return;
  memset(reinterpret_cast<void*>(a), 0xFF, bytes);
  // Allocations start at pages, so whole bytes of the bitmap belong to one allocation.
  uint8_t* written = arena().written;
  memset(written + (a - ARENA) / 8, 0, (bytes + 7) / 8);
}

void mark_written(Address a, size_t bytes) {
  uint8_t* written = arena().written;
  Address i = a - ARENA, end = i + bytes;
  for (; i < end && i % 8; ++i) written[i / 8] |= 1 << i % 8;
  if (end > i) {
    memset(written + i / 8, 0xFF, (end - i) / 8);
    for (i += (end - i) / 8 * 8; i < end; ++i) written[i / 8] |= 1 << i % 8;
  }
}

bool all_unwritten(Address a, size_t bytes) {
  const uint8_t* written = arena().written;
  for (Address i = a - ARENA, end = i + bytes; i < end; ++i)
    if (written[i / 8] >> i % 8 & 1) return false;
  return true;
}

size_t arena_left() { return ARENA + ARENA_SIZE - arena().next; }

bool is_device_variable(Address begin) {
  Allocation* found = allocation_of(begin);
  return found && found->begin == begin && !found->name.empty() && found->space != Space::shared;
}

// --- variables the program declares -----------------------------------------------------------------------------------

void* device_variable(const char* name, Space space, size_t bytes, const void* initial) {
  Allocation* it = new_allocation(bytes, space, name, 0);
  if (!it) stop(3);
  void* place = reinterpret_cast<void*>(it->begin);
  if (initial) memcpy(place, initial, bytes);
  else memset(place, 0, bytes);  // as C++ has it for static storage
  mark_written(it->begin, bytes);
  return place;
}

}  // namespace cudahost
