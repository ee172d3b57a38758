// cp.async: a copy from global to shared memory lands when the thread waits for its group, as late as CUDA allows. Whoever reads
// the target before finds what was there, which is how a missing wait shows.
#include "host.h"

namespace cudahost {

void pipeline_copy(void* to, const void* from, size_t bytes, size_t zeros) {
  Site site = CUDAHOST_SITE;
  Thread* t = current;
  settle(*t);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || Address(to) % bytes || Address(from) % bytes) {
    Finding found("misaligned");
    found.space(Space::shared).at(site).thread(*t).text("access", "write").number("bytes", (long long)bytes);
    if (Allocation* it = allocation_near(Address(to))) found.object(*it, Address(to));
    found.report();
    abandon(cudaErrorMisalignedAddress);
  }
  // It may land from now on, so who still reads the target reads either; the value is not there yet to be compared.
  Allocation* target = allocation_of(Address(to));
  if (target && !target->freed && Address(to) + bytes <= target->end) check_race(*t, *target, Address(to), unsigned(bytes), WRITE | ASYNC, site);
  t->copies.push_back({static_cast<char*>(to), static_cast<const char*>(from), bytes, zeros, t->copy_group, site});
}

void pipeline_commit() { ++current->copy_group; }

void pipeline_wait(size_t prior) {
  Thread* t = current;
  std::vector<AsyncCopy> waiting;
  for (const AsyncCopy& copy : t->copies) {
    if (copy.group + prior >= t->copy_group) {
      waiting.push_back(copy);
      continue;
    }
    size_t bytes = copy.bytes - copy.zeros;
    if (bytes) access(Address(copy.from), unsigned(bytes), bytes == copy.bytes ? READ : READ | RANGE, copy.site);
    access(Address(copy.to), unsigned(copy.bytes), WRITE, copy.site);
    memcpy(copy.to, copy.from, bytes);
    memset(copy.to + bytes, 0, copy.zeros);
  }
  t->copies = std::move(waiting);
}

}  // namespace cudahost
