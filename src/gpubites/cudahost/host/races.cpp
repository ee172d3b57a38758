// Data races by vector clocks. Each thread has a clock that ticks when it synchronizes. An access is ordered with an earlier
// one if the earlier clock is known to the thread: through a block barrier (everything below the block's floor), a __syncwarp
// (below the warp's floor, or lane by lane), or a chain of fence, atomic store, atomic load.
//
// Every 4-byte word of device memory has a shadow: its last writer, all readers since, all atomics since.
#include <sys/mman.h>

#include "host.h"

namespace cudahost {
namespace {

// Accesses of one warp that agree in clock and instruction are one record.
struct Record {
  uint32_t next, operation, warp, clock, lanes;
  Site site;
  uint8_t bytes, flags;
};

struct Word {
  uint32_t generation;
  uint32_t operation, block_thread, clock;  // last plain store; clock 0: none
  Site site;
  uint8_t bytes, flags, has, unused;
  uint32_t reads, atomics;                  // heads of lists of records
};
static_assert(sizeof(Word) == 32);

constexpr uint8_t SAME_VALUE = 128;                    // in Word::flags: the store changed nothing
constexpr uint8_t HAS_BLOCK_SCOPE = 1, HAS_PARTIAL = 2;  // in Word::has: what the list of atomics holds besides

Word* shadow() {
  static Word* it = [] {
    void* place = mmap(nullptr, ARENA_SIZE / 4 * sizeof(Word), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
      perror("cudahost: cannot reserve address space");
      stop(3);
    }
    return static_cast<Word*>(place);
  }();
  return it;
}

std::vector<Record> records(1);
uint32_t generations = 0, global_generation = 0;

struct SyncVariable {
  Shared device;
  std::unordered_map<unsigned, Shared> blocks;
};
std::unordered_map<Address, SyncVariable> sync_variables;

uint64_t block_key(unsigned block) { return uint64_t(block) << 12 | 1; }
uint64_t thread_key(unsigned block, unsigned index) { return uint64_t(block) << 12 | index << 1; }

unsigned warps_of(const Operation& operation) { return (operation.block_size() + 31) / 32; }

bool ordered(const Thread& t, uint32_t operation, unsigned block, unsigned index, uint32_t clock) {
  if (operation != running->id) return is_before(operation, *running);
  if (block == t.block->index) {
    if (index == t.index || clock < t.block->floor) return true;
    if (index / 32 == t.warp()) {
      if (clock < t.warp_floor) return true;
      if (t.lanes && (*t.lanes)[index & 31] >= clock) return true;
    }
  }
  if (!t.others) return false;
  if (auto it = t.others->find(block_key(block)); it != t.others->end() && clock < it->second) return true;
  auto it = t.others->find(thread_key(block, index));
  return it != t.others->end() && it->second >= clock;
}

bool conflicting(unsigned a, unsigned b, bool same_block, bool same_warp, bool in_shared) {
  if (!((a | b) & (WRITE | ATOMIC))) return false;
  bool both_strong = a & (ATOMIC | VOLATILE) && b & (ATOMIC | VOLATILE);
  if (!both_strong) return true;
  if (!same_block && (a | b) & BLOCK_SCOPE) return true;
  // The lanes of a warp do not run in step: `volatile` orders nothing among them.
  return same_warp && in_shared && a & VOLATILE && b & VOLATILE;
}

struct Conflict {
  uint32_t operation;
  unsigned block, index;
  Site site;
  unsigned flags;
};

const char* verb(unsigned flags) { return flags & ATOMIC ? "atomic" : flags & WRITE ? "write" : "read"; }

std::string describe(const Thread& t, const Allocation& it, Address a, unsigned size, unsigned flags, Site site, const Conflict& c) {
  bool same_block = c.operation == running->id && c.block == t.block->index;
  bool same_warp = same_block && c.index / 32 == t.warp();
  Finding found("race");
  found.space(it.space).at(site).other(c.site).text("access", verb(flags)).text("other_access", verb(c.flags)).number("bytes", size);
  if (flags & VOLATILE || c.flags & VOLATILE) found.number("volatile", 1);
  found.text("between", same_warp ? "lanes" : same_block ? "warps" : c.operation == running->id ? "blocks" : "operations");
  found.thread(t).thread("other", operation_of(c.operation), c.block, c.index).object(it, a);
  if ((flags | c.flags) & BLOCK_SCOPE && (flags & ATOMIC) && (c.flags & ATOMIC)) found.number("block_scope", 1);
  std::string line = found.line();
  return same_warp ? line.insert(line.find('\n'), "~") : line;  // a finding of its own beside one between warps
}

// The first record of the list that conflicts and is not ordered. The newest comes first: what lies below an atomic of the
// thread itself has been seen by that atomic, and a place has one order of updates.
bool find_conflict(const Thread& t, uint32_t head, unsigned flags, unsigned bytes, bool in_shared, Conflict& out) {
  bool seen = false;
  for (uint32_t i = head; i; i = records[i].next) {
    const Record& r = records[i];
    if (!(r.bytes & bytes) || (seen && r.flags & ATOMIC)) continue;
    const Operation& operation = operation_of(r.operation);
    unsigned per_block = warps_of(operation), block = r.warp / per_block, warp = r.warp % per_block;
    bool same_block = r.operation == running->id && block == t.block->index, same_warp = same_block && warp == t.warp();
    if (same_warp && r.flags & ATOMIC && r.lanes >> t.lane() & 1) seen = true;
    if (!conflicting(flags, r.flags, same_block, same_warp, in_shared)) continue;
    if (same_block && r.clock < t.block->floor) continue;
    for (uint32_t lanes = r.lanes; lanes; lanes &= lanes - 1) {
      unsigned index = warp * 32 + unsigned(__builtin_ctz(lanes));
      if (ordered(t, r.operation, block, index, r.clock)) continue;
      out = {r.operation, block, index, r.site, r.flags};
      return true;
    }
  }
  return false;
}

void remember(const Thread& t, uint32_t& head, unsigned flags, unsigned bytes, Site site) {
  uint32_t warp = t.block->index * warps_of(*running) + t.warp();
  int tries = 4;
  for (uint32_t i = head; i && tries--; i = records[i].next) {
    Record& r = records[i];
    if (r.warp == warp && r.clock == t.clock && r.site == site && r.operation == running->id && r.flags == flags && r.bytes == bytes) {
      r.lanes |= 1u << t.lane();
      return;
    }
  }
  records.push_back({head, running->id, warp, t.clock, 1u << t.lane(), site, uint8_t(bytes), uint8_t(flags)});
  head = uint32_t(records.size() - 1);
}

Thread* still_there(uint32_t operation, unsigned block, unsigned index);

Shared joined(const std::vector<Shared>& all) {
  Shared only;
  std::shared_ptr<Knowledge> together;
  for (const Shared& one : all) {
    if (!one || one == only) continue;
    if (!only) {
      only = one;
      continue;
    }
    if (!together) together = std::make_shared<Knowledge>(*only);
    for (auto& [key, clock] : *one) {
      uint32_t& known = (*together)[key];
      known = std::max(known, clock);
    }
  }
  return together ? together : only;
}

Shared snapshot(const Thread& t) {
  auto all = t.others ? std::make_shared<Knowledge>(*t.others) : std::make_shared<Knowledge>();
  auto put = [&](uint64_t key, uint32_t clock) {
    uint32_t& known = (*all)[key];
    known = std::max(known, clock);
  };
  unsigned block = t.block->index;
  if (t.block->floor) put(block_key(block), t.block->floor);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned index = t.warp() * 32 + lane;
    if (t.warp_floor > t.block->floor) put(thread_key(block, index), t.warp_floor - 1);
    if (t.lanes && (*t.lanes)[lane]) put(thread_key(block, index), (*t.lanes)[lane]);
  }
  put(thread_key(block, t.index), t.clock);
  return all;
}

}  // namespace

void check_race(Thread& t, Allocation& it, Address a, unsigned size, unsigned flags, Site site) {
  bool in_shared = it.space == Space::shared, writes = flags & (WRITE | ATOMIC), strong = flags & (ATOMIC | VOLATILE);
  uint32_t generation = in_shared ? it.generation : global_generation;
  Word* words = shadow();
  Conflict conflict;
  for (Address word = (a - ARENA) / 4; word <= (a + size - 1 - ARENA) / 4; ++word) {
    Word& w = words[word];
    if (w.generation != generation) {
      w = {};
      w.generation = generation;
    }
    Address start = ARENA + word * 4;
    unsigned bytes = 0;
    for (unsigned i = 0; i < 4; ++i) bytes |= unsigned(start + i >= a && start + i < a + size) << i;

    bool found = false, with_same_value = false, with_reader = false, with_atomic = false;
    if (w.clock && w.bytes & bytes) {
      unsigned per_block = operation_of(w.operation).block_size(), block = w.block_thread / per_block, index = w.block_thread % per_block;
      if (!ordered(t, w.operation, block, index, w.clock)) {
        found = true;
        with_same_value = w.flags & SAME_VALUE;
        conflict = {w.operation, block, index, w.site, WRITE};
      }
    }
    if (!found && writes && w.reads) found = with_reader = find_conflict(t, w.reads, flags, bytes, in_shared, conflict);
    bool look = !strong || w.has || flags & BLOCK_SCOPE || (flags & VOLATILE && in_shared);
    if (!found && w.atomics && look) found = with_atomic = find_conflict(t, w.atomics, flags, bytes, in_shared, conflict);

    if (found) {
      std::string report = describe(t, it, a, size, flags, site, conflict);
      // Two that write the same value do no harm. One that reads while another writes what was there does: other data would show it.
      if (flags & WRITE && size <= 16 && !(flags & ASYNC) && !with_reader) {
        t.write.conflict = true;  // decided when the value is there
        t.write.report = report;
      } else if (with_same_value && writes) {
        note("same-value", site, "", conflict.site);
      } else if (!writes && with_atomic && conflict.flags & ATOMIC) {
        t.read.report = report;   // decided by what the thread does next: a compare-and-swap loop reads first
      } else if (flags & ATOMIC && with_reader) {
        Thread* reader = still_there(conflict.operation, conflict.block, conflict.index);
        if (reader && reader->read.address == a && reader->read.size == size) reader->read.report = report;
        else Finding::report(report);
      } else {
        Finding::report(report);
      }
    }

    if (strong) {
      if (flags & BLOCK_SCOPE) w.has |= HAS_BLOCK_SCOPE;
      remember(t, w.atomics, flags & ~RANGE, bytes, site);
    } else if (writes) {
      if (w.clock && w.bytes & ~bytes) {  // other bytes of the word are another thread's
        unsigned per_block = operation_of(w.operation).block_size(), block = w.block_thread / per_block, index = w.block_thread % per_block;
        uint32_t warp = block * warps_of(operation_of(w.operation)) + index / 32;
        records.push_back({w.atomics, w.operation, warp, w.clock, 1u << (index & 31), w.site, uint8_t(w.bytes & ~bytes), WRITE});
        w.atomics = uint32_t(records.size() - 1);
        w.has |= HAS_PARTIAL;
      }
      bool hides = found && !with_same_value && !with_reader && !with_atomic;  // an unordered store of another value lies below
      w.operation = running->id;
      w.block_thread = t.block->index * running->block_size() + t.index;
      w.clock = t.clock;
      w.site = site;
      w.bytes = uint8_t(bytes);
      w.flags = hides ? 64 : 0;
      if (bytes == 15) {
        w.reads = 0;
        if (!(w.has & HAS_PARTIAL) || !found) w.atomics = w.has = 0;
      }
    } else {
      remember(t, w.reads, READ, bytes, site);
    }
  }
}

void settle(Thread& t) {
  PendingWrite& p = t.write;
  if (!p.size) return;
  bool same = !memcmp(p.old, reinterpret_cast<const void*>(p.address), p.size);
  if (!same) ++progress;
  if (same) {
    for (Address word = (p.address - ARENA) / 4; word <= (p.address + p.size - 1 - ARENA) / 4; ++word) {
      Word& w = shadow()[word];
      if (w.clock == t.clock && !(w.flags & 64)) w.flags |= SAME_VALUE;
    }
  }
  if (p.conflict) {
    if (!same) {
      Finding::report(p.report);
    } else {
      auto number = [&](const char* key) { return Site(strtoul(p.report.c_str() + p.report.find(key) + strlen(key), nullptr, 10)); };
      note("same-value", number("\"pc\":"), "", number("\"other_pc\":"));
    }
  }
  p.size = 0;
  p.conflict = false;
}

void settle_read(Thread& t, Address next, bool atomic) {
  OpenRead& r = t.read;
  if (!r.address) return;
  if (atomic && next == r.address) {
    // It was a guess that this very step checks: no longer a read that others could conflict with.
    Word& w = shadow()[(r.address - ARENA) / 4];
    uint32_t warp = t.block->index * warps_of(*running) + t.warp();
    for (uint32_t i = w.reads; i; i = records[i].next)
      if (records[i].warp == warp && records[i].operation == running->id) records[i].lanes &= ~(1u << t.lane());
    if (r.size == 8) {
      Word& high = shadow()[(r.address - ARENA) / 4 + 1];
      for (uint32_t i = high.reads; i; i = records[i].next)
        if (records[i].warp == warp && records[i].operation == running->id) records[i].lanes &= ~(1u << t.lane());
    }
  } else if (!r.report.empty()) {
    Finding::report(r.report);
  }
  r.report.clear();
  r.address = 0;
}

uint32_t next_generation() { return ++generations; }

void begin_operation_races(Operation& operation) {
  // Nothing that ran before can conflict with it? Then all shadows are out of date at once.
  bool all_before = true;
  if (operation.id) {
    for (uint32_t id = operation.id; id-- > 0 && all_before;) {
      const Operation& earlier = operation_of(id);
      if (earlier.done && !is_before(id, operation)) all_before = false;
      if (operation.id - id > 512) break;
    }
  }
  if (all_before) {
    global_generation = next_generation();
    records.resize(1);
  }
  sync_variables.clear();
}

// --- what threads learn of each other ---------------------------------------------------------------------------------

void clocks_at_barrier(Block& block) {
  uint32_t latest = 0;
  bool any = false;
  for (Thread& t : block.threads) {
    latest = std::max(latest, t.clock);
    any |= bool(t.others);
  }
  block.floor = latest + 1;
  Shared together;
  if (any) {
    std::vector<Shared> all;
    for (Thread& t : block.threads) all.push_back(t.others);
    together = joined(all);
  }
  for (Thread& t : block.threads) {
    t.clock = block.floor;
    t.lanes.reset();
    if (any) t.others = together;
  }
}

void clocks_at_syncwarp(Block& block, unsigned warp, unsigned mask) {
  unsigned first = warp * 32, count = std::min<unsigned>(32, unsigned(block.threads.size()) - first);
  std::vector<Thread*> lanes;
  unsigned absent = 0;
  uint32_t latest = 0;
  std::vector<Shared> all;
  for (unsigned lane = 0; lane < count; ++lane) {
    Thread& t = block.threads[first + lane];
    if (!(mask >> lane & 1)) ++absent;
    else if (t.state != State::exited) lanes.push_back(&t);
    latest = std::max(latest, t.clock);
    if (mask >> lane & 1 && t.others) all.push_back(t.others);
  }
  Shared together = joined(all);
  if (!absent) {
    for (Thread* t : lanes) t->clock = t->warp_floor = latest + 1;
  } else {
    std::array<uint32_t, 32> known{};
    for (Thread* t : lanes) {
      if (t->lanes)
        for (int lane = 0; lane < 32; ++lane) known[lane] = std::max(known[lane], (*t->lanes)[lane]);
      known[t->lane()] = std::max(known[t->lane()], t->clock);
    }
    uint32_t floor = 0;
    for (Thread* t : lanes) floor = std::max(floor, t->warp_floor);
    for (Thread* t : lanes) {
      if (!t->lanes) t->lanes = std::make_unique<std::array<uint32_t, 32>>();
      *t->lanes = known;
      t->warp_floor = floor;
      ++t->clock;
    }
  }
  if (together)
    for (Thread* t : lanes) t->others = together;
}

void fence(Thread& t, bool device_scope) {
  settle(t);
  Shared all = snapshot(t);
  t.released_in_block = all;
  if (device_scope) t.released_in_device = all;
  ++t.clock;
}

void publish(Thread& t, Address a, bool keep) {
  if (!t.released_in_block) {
    if (!keep) sync_variables.erase(a);
    return;
  }
  SyncVariable& variable = sync_variables[a];
  if (!keep) variable = {};
  Shared& in_block = variable.blocks[t.block->index];
  in_block = joined({in_block, t.released_in_block});
  if (t.released_in_device) variable.device = joined({variable.device, t.released_in_device});
}

void learn(Thread& t, Address a) {
  if (sync_variables.empty()) return;
  auto found = sync_variables.find(a);
  if (found == sync_variables.end()) return;
  Shared in_block;
  if (auto it = found->second.blocks.find(t.block->index); it != found->second.blocks.end()) in_block = it->second;
  t.others = joined({t.others, found->second.device, in_block});
}

Block* resident_block(unsigned index);

namespace {
Thread* still_there(uint32_t operation, unsigned block, unsigned index) {
  if (operation != running->id) return nullptr;
  Block* there = resident_block(block);
  return there && there->threads[index].state != State::exited ? &there->threads[index] : nullptr;
}
}  // namespace

}  // namespace cudahost
