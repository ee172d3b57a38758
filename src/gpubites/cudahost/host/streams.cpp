// Kernels and copies wait in their stream until the program synchronizes; only then do they happen. Of several that could be
// next, the schedule chooses. So a result that is read too early is not there, and a missing dependency shows.
#include "host.h"

namespace cudahost {

bool in_arena_host_memory(Address a);

namespace {

std::deque<Operation> operations;
std::vector<Operation*> undone;
std::map<unsigned, uint32_t> host_seen;   // what the host has waited for

// Host code that touches managed or pinned memory while something is pending.
struct HostAccess {
  Address begin, end;
  bool writes;
  Site site;
  uint32_t last_issued;
};
std::vector<HostAccess> host_accesses;

void learn(std::map<unsigned, uint32_t>& seen, const Operation& operation) {
  for (auto& [stream, sequence] : operation.seen) seen[stream] = std::max(seen[stream], sequence);
  uint32_t& known = seen[operation.stream->id];
  known = std::max(known, operation.sequence);
}

void need(Operation* operation, std::vector<Operation*>& all) {
  if (operation->done || std::find(all.begin(), all.end(), operation) != all.end()) return;
  for (Operation* earlier : operation->after) need(earlier, all);
  all.push_back(operation);
}

void perform(std::vector<Operation*> all) {
  while (!all.empty()) {
    std::vector<size_t> ready;
    for (size_t i = 0; i < all.size(); ++i) {
      bool waits = false;
      for (Operation* earlier : all[i]->after) waits |= !earlier->done;
      if (!waits) ready.push_back(i);
    }
    auto by_age = [&](size_t a, size_t b) { return all[a]->id < all[b]->id; };
    size_t next = schedule == Schedule::forward   ? *std::min_element(ready.begin(), ready.end(), by_age)
                  : schedule == Schedule::reverse ? *std::max_element(ready.begin(), ready.end(), by_age)
                                                  : ready[random_bits() % ready.size()];
    Operation* operation = all[next];
    all.erase(all.begin() + long(next));
    undone.erase(std::find(undone.begin(), undone.end(), operation));
    if (operation->work) operation->work(*operation);
    operation->work = nullptr;
    operation->closure.reset();
    operation->done = true;
    operation->after.clear();
  }
  if (undone.empty()) host_accesses.clear();
}

}  // namespace

std::deque<Stream>& streams() {
  static auto* all = new std::deque<Stream>{Stream{}};
  return *all;
}

Stream* stream_of(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy) return &streams().front();
  auto* stream = reinterpret_cast<Stream*>(handle);
  if (handle == cudaStreamPerThread) {
    static Stream* own = [] {
      streams().push_back({});
      streams().back().id = unsigned(streams().size() - 1);
      return &streams().back();
    }();
    return own;
  }
  for (Stream& known : streams())
    if (&known == stream && known.alive) return stream;
  return nullptr;
}

Operation& issue(Stream& stream, Task task) {
  if (stream.capture) return capture(stream, std::move(task));
  operations.emplace_back(std::move(task));
  Operation& it = operations.back();
  it.id = uint32_t(operations.size() - 1);
  it.stream = &stream;
  it.seen = host_seen;
  auto follow = [&](Stream& other) {
    if (other.operations.empty()) return;
    Operation* last = other.operations.back();
    learn(it.seen, *last);
    if (!last->done) it.after.push_back(last);
  };
  follow(stream);
  // The default stream waits for all blocking streams, and they for it.
  Stream& standard = streams().front();
  if (&stream == &standard) {
    for (Stream& other : streams())
      if (other.blocking && &other != &standard) follow(other);
  } else if (stream.blocking) {
    follow(standard);
  }
  stream.operations.push_back(&it);
  it.sequence = uint32_t(stream.operations.size());
  undone.push_back(&it);
  return it;
}

void wait_for(Operation* operation) {
  if (!operation) return;
  std::vector<Operation*> all;
  need(operation, all);
  perform(all);
  learn(host_seen, *operation);
}

void wait_for_stream(Stream& stream) {
  if (!stream.operations.empty()) wait_for(stream.operations.back());
}

void wait_for_everything() {
  perform(undone);
  for (Stream& stream : streams())
    if (!stream.operations.empty()) learn(host_seen, *stream.operations.back());
}

bool is_before(uint32_t id, const Operation& now) {
  const Operation& earlier = operations[id];
  auto it = now.seen.find(earlier.stream->id);
  return it != now.seen.end() && it->second >= earlier.sequence;
}

const Operation& operation_of(uint32_t id) { return operations[id]; }
bool anything_undone() { return !undone.empty(); }
const Operation* first_undone_kernel() {
  for (Operation* operation : undone)
    if (operation->body) return operation;
  return nullptr;
}

Stream* new_stream(bool blocking) {
  streams().push_back({});
  Stream& it = streams().back();
  it.id = unsigned(streams().size() - 1);
  it.blocking = blocking;
  return &it;
}

void add_dependency(Operation& operation, Operation* earlier) {
  if (!earlier) return;
  learn(operation.seen, *earlier);
  if (!earlier->done) operation.after.push_back(earlier);
}

void host_touches(Allocation&, Address a, unsigned size, bool writes, Site site) {
  if (undone.empty()) return;
  uint32_t last = uint32_t(operations.size() - 1);
  if (!host_accesses.empty()) {
    HostAccess& previous = host_accesses.back();
    if (previous.site == site && previous.writes == writes && previous.last_issued == last && a >= previous.begin && a <= previous.end) {
      previous.end = std::max(previous.end, a + size);
      return;
    }
  }
  if (host_accesses.size() < 4096) host_accesses.push_back({a, a + size, writes, site, last});
}

// An operation that was pending when the host touched the same bytes: nobody knows who came first.
void conflicts_with_host(const Operation& operation, const Allocation& it, Address a, size_t size, bool writes, Site site, const Thread* thread) {
  for (const HostAccess& host : host_accesses) {
    if (host.last_issued < operation.id || !(host.writes || writes) || a >= host.end || a + size <= host.begin) continue;
    Finding found("race");
    found.space(it.space).at(host.site).other(site).text("access", host.writes ? "write" : "read").text("other_access", writes ? "write" : "read");
    found.text("between", "host").number("bytes", (long long)size).object(it, a);
    if (thread) found.thread("other", *thread->block->operation, thread->block->index, thread->index);
    else found.text("other_what", operation.what);
    found.report();
    return;
  }
}

void kernel_touches_host_memory(Thread& t, Allocation& it, Address a, unsigned size, bool writes, Site site) {
  if (!host_accesses.empty()) conflicts_with_host(*t.block->operation, it, a, size, writes, site, &t);
}

}  // namespace cudahost
