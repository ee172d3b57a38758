// The memory model: what each line asks of memory, request by request. A request is one instruction of one warp. In global
// memory it costs 32-byte sectors, in shared memory wavefronts: passes over 32 banks of 4 bytes.
//
// The lanes of a warp run one after the other here, so their accesses are put together afterwards: the nth time a lane comes by
// an instruction since the last barrier belongs with the nth time of the others.
#include <set>

#include "host.h"

namespace cudahost {

bool tracing = getenv("CUDAHOST_TRACE") != nullptr;

namespace {

struct Request {
  Address address[32];
  uint8_t size[32];
  uint32_t lanes = 0;
};
struct AtSite {
  std::vector<Request> requests;
  uint32_t count[32] = {};
};
struct Totals {
  uint64_t requests = 0, sectors = 0, wavefronts = 0, used = 0, moved = 0, lanes = 0;
  Request worst;                  // the request with most sectors or wavefronts, for the figure
  uint64_t worst_cost = 0;
  Address base = 0;
};
struct Key {
  Site site;
  Space space;
  unsigned kind;
  unsigned size;
  bool operator<(const Key& o) const { return std::tie(site, space, kind, size) < std::tie(o.site, o.space, o.kind, o.size); }
};

using Warp = std::map<Key, AtSite>;
std::unordered_map<uint64_t, Warp> open_warps;   // block, warp
std::map<Key, Totals> totals;

uint64_t key_of(const Block& block, unsigned warp) { return uint64_t(block.index) << 6 | warp; }

void add(const Key& key, const Request& r, Totals& t) {
  std::set<Address> sectors, bytes;
  std::map<unsigned, std::set<Address>> banks;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(r.lanes >> lane & 1)) continue;
    ++t.lanes;
    Address first = r.address[lane], last = first + r.size[lane] - 1;
    for (Address s = first / 32; s <= last / 32; ++s) sectors.insert(s);
    for (Address w = first / 4; w <= last / 4; ++w) banks[w % 32].insert(w);
    for (Address b = first; b <= last; ++b) bytes.insert(b);
  }
  size_t wavefronts = 0;
  for (auto& [bank, words] : banks) wavefronts = std::max(wavefronts, words.size());
  ++t.requests;
  t.used += bytes.size();
  bool in_shared = key.space == Space::shared;
  uint64_t cost = in_shared ? wavefronts : sectors.size();
  if (in_shared) {
    t.wavefronts += wavefronts;
    t.moved += wavefronts * 128;
  } else {
    t.sectors += sectors.size();
    t.moved += sectors.size() * 32;
  }
  if (cost > t.worst_cost) {
    t.worst = r;
    t.worst_cost = cost;
  }
}

void flush(Warp& warp) {
  for (auto& [key, site] : warp) {
    Totals& t = totals[key];
    for (const Request& r : site.requests) add(key, r, t);
  }
  warp.clear();
}

}  // namespace

void trace_access(Thread& thread, const Allocation& allocation, Address a, unsigned size, unsigned flags, Site site) {
  unsigned kind = flags & ATOMIC ? 2 : flags & WRITE ? 1 : 0, lane = thread.lane();
  AtSite& at = open_warps[key_of(*thread.block, thread.warp())][{site, allocation.space, kind, size}];
  uint32_t nth = at.count[lane]++;
  if (nth >= at.requests.size()) at.requests.resize(nth + 1);
  Request& r = at.requests[nth];
  // Shared variables begin at bank 0 here: which bank a variable begins at changes no count.
  r.address[lane] = allocation.space == Space::shared ? a - allocation.begin : a;
  r.size[lane] = uint8_t(std::min(size, 255u));
  r.lanes |= 1u << lane;
}

void trace_flush_warp(Block& block, unsigned warp) {
  auto it = open_warps.find(key_of(block, warp));
  if (it != open_warps.end()) flush(it->second);
}

void trace_flush(Block& block) {
  for (unsigned warp = 0; warp < (block.threads.size() + 31) / 32; ++warp) {
    auto it = open_warps.find(key_of(block, warp));
    if (it == open_warps.end()) continue;
    flush(it->second);
    open_warps.erase(it);
  }
}

void trace_report() {
  for (auto& [key, t] : totals) {
    std::string line = "{\"event\":\"trace\",\"pc\":" + std::to_string(key.site) + ",\"space\":\"" + name_of(key.space) + "\",\"access\":\"" +
                       (key.kind == 2 ? "atomic" : key.kind ? "store" : "load") + "\",\"size\":" + std::to_string(key.size);
    auto put = [&](const char* name, uint64_t value) { line += std::string(",\"") + name + "\":" + std::to_string(value); };
    put("requests", t.requests);
    put("sectors", t.sectors);
    put("wavefronts", t.wavefronts);
    put("bytes_used", t.used);
    put("bytes_moved", t.moved);
    put("lanes", t.lanes);
    Address lowest = ~Address(0);
    for (int lane = 0; lane < 32; ++lane)
      if (t.worst.lanes >> lane & 1) lowest = std::min(lowest, t.worst.address[lane]);
    lowest = lowest / 128 * 128;
    line += ",\"sample\":[";
    for (int lane = 0; lane < 32; ++lane) {
      if (lane) line += ',';
      line += t.worst.lanes >> lane & 1 ? std::to_string(t.worst.address[lane] - (key.space == Space::shared ? 0 : lowest)) : "null";
    }
    report_line(line + "]}");
  }
}

}  // namespace cudahost
