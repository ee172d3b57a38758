// One fiber per CUDA thread, all on one OS thread. A fiber runs until it waits (barrier, warp collective), spins, or is
// interrupted by the random schedule. Blocks run one after the other, except that more are admitted when those that run only
// spin: a block may wait for another one, as on a GPU.
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "host.h"

extern "C" void cudahost_switch(void** save, void* load);
asm(R"(
.text
.globl cudahost_switch
.type cudahost_switch, @function
cudahost_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cudahost_switch, .-cudahost_switch
)");

namespace cudahost {

Thread* current = nullptr;
bool abandoned = false;
uint64_t progress = 0, signs_of_life = 0;
Operation* running = nullptr;

namespace {

Schedule from_environment() {
  const char* name = getenv("CUDAHOST_SCHEDULE");
  return !name || !strcmp(name, "forward") ? Schedule::forward : !strcmp(name, "reverse") ? Schedule::reverse : Schedule::random;
}
unsigned number_from(const char* name, unsigned otherwise) {
  const char* text = getenv(name);
  return text ? unsigned(strtoul(text, nullptr, 0)) : otherwise;
}

}  // namespace

Schedule schedule = from_environment();
std::mt19937 random_bits(number_from("CUDAHOST_SEED", 1));

namespace {

constexpr size_t STACK = 128 << 10, MOST_FIBERS = 16384;
constexpr unsigned SILENT = 3;       // seconds of processor time that a thread may compute without touching memory
constexpr unsigned PATIENCE = 300;   // rounds in which nobody does anything but look

void* scheduler_stack_pointer;
std::vector<Block*> resident;
std::vector<unsigned> free_slots;
unsigned slots_made = 0;
// Shared variables and dynamic shared memory of a slot; the next block in that slot has them again, poisoned.
std::vector<std::unordered_map<const void*, Allocation*>> slot_variables;
std::vector<std::map<size_t, Allocation*>> slot_dynamic;
cudaError_t abandon_error;

char* stacks() {
  static char* it = [] {
    void* place = mmap(nullptr, STACK * MOST_FIBERS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) {
      perror("cudahost: cannot reserve stacks");
      stop(3);
    }
    return static_cast<char*>(place);
  }();
  return it;
}

void to_scheduler() {
  Thread* me = current;
  cudahost_switch(&me->stack_pointer, scheduler_stack_pointer);
}

void resume(Thread& t) {
  current = &t;
  ++signs_of_life;
  t.spinning = false;
  cudahost_switch(&scheduler_stack_pointer, t.stack_pointer);
  current = nullptr;
}

void complete_collectives(Block& block, unsigned warp);
void release_barrier(Block& block);

[[noreturn]] void run_thread() {
  Thread* t = current;
  t->block->operation->body(t->block->operation->closure.get());
  settle(*t);
  settle_read(*t, 0, false);
  t->state = State::exited;
  ++progress;
  Block& block = *t->block;
  --block.live;
  complete_collectives(block, t->warp());
  if (block.live && block.waiting == block.live) release_barrier(block);
  to_scheduler();
  abort();
}

void prepare(Thread& t) {
  // What cudahost_switch pops: six registers, then the address to return to. The stack is misaligned as after a call.
  auto* top = reinterpret_cast<void**>(t.stack + STACK - 64);
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(&run_thread);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  t.stack_pointer = top;
}

const char* name_of(Collective kind) {
  switch (kind) {
    case Collective::syncwarp: return "__syncwarp";
    case Collective::shuffle: return "a shuffle";
    case Collective::vote: return "a vote";
    case Collective::match: return "a match";
    case Collective::reduce: return "a reduction";
    case Collective::matrix: return "a WMMA operation";
  }
  return "";
}

// --- blocks -----------------------------------------------------------------------------------------------------------

Block* admit(Operation& operation, unsigned index) {
  auto* block = new Block;
  block->operation = &operation;
  block->index = index;
  block->position = {index % operation.grid.x, index / operation.grid.x % operation.grid.y, index / operation.grid.x / operation.grid.y};
  if (free_slots.empty()) {
    free_slots.push_back(slots_made++);
    slot_variables.emplace_back();
    slot_dynamic.emplace_back();
  }
  block->slot = free_slots.back();
  free_slots.pop_back();
  block->generation = next_generation();
  unsigned size = operation.block_size();
  block->live = size;
  block->threads = std::vector<Thread>(size);
  for (unsigned i = 0; i < size; ++i) {
    Thread& t = block->threads[i];
    t.block = block;
    t.index = i;
    t.position = {i % operation.block.x, i / operation.block.x % operation.block.y, i / operation.block.x / operation.block.y};
    t.stack = stacks() + STACK * (size_t(block->slot) * size + i);
    prepare(t);
  }
  if (operation.shared_bytes) {
    Allocation*& it = slot_dynamic[block->slot][operation.shared_bytes];
    if (!it) it = new_allocation(operation.shared_bytes, Space::shared, "dynamic shared memory", 0);
    if (!it) stop(3);
    poison(it->begin, it->size());
    it->owner = block;
    it->generation = block->generation;
    block->dynamic = it;
  }
  ++progress;
  return block;
}

void retire(Block* block) {
  if (tracing) trace_flush(*block);
  for (auto& [key, it] : block->variables) it->owner = reinterpret_cast<Block*>(1);  // nobody's until it is asked for again
  if (block->dynamic) block->dynamic->owner = reinterpret_cast<Block*>(1);
  free_slots.push_back(block->slot);
  delete block;
}

std::vector<unsigned> order(unsigned count) {
  std::vector<unsigned> all(count);
  for (unsigned i = 0; i < count; ++i) all[i] = schedule == Schedule::reverse ? count - 1 - i : i;
  if (schedule == Schedule::random) std::shuffle(all.begin(), all.end(), random_bits);
  return all;
}

// --- waiting ----------------------------------------------------------------------------------------------------------

void release_barrier(Block& block) {
  Thread* first = nullptr;
  Thread* differs = nullptr;
  Thread* around = nullptr;
  Thread* early = nullptr;
  for (Thread& t : block.threads) {
    if (t.state == State::exited) {
      if (t.left_early) early = &t;
      else if (!around) around = &t;
      continue;
    }
    if (!first) first = &t;
    else if (t.line != first->line && !differs) differs = &t;
  }
  auto diverges = [&](const char* how) {
    Finding found("barrier-divergence");
    found.space(Space::none).at(first->site).thread(*first).text("how", how);
    unsigned here = 0;
    for (Thread& t : block.threads) here += t.state != State::exited && t.line == first->line;
    return found.number("here", here).number("of", (long long)block.threads.size());
  };
  if (differs) {
    diverges("lines").other(differs->site).thread("other", *block.operation, block.index, differs->index).report();
    abandon(cudaErrorLaunchFailure);  // what comes after would be undefined
  } else if (around) {
    diverges("around").thread("other", *block.operation, block.index, around->index).report();
    abandon(cudaErrorLaunchFailure);
  } else if (early) {
    note("left-early", first->site);
  }
  int count = 0, all = 1, any = 0;
  for (Thread& t : block.threads)
    if (t.state != State::exited) {
      count += t.predicate != 0;
      all &= t.predicate != 0;
      any |= t.predicate != 0;
    }
  clocks_at_barrier(block);
  if (tracing) trace_flush(block);
  block.waiting = 0;
  ++progress;
  for (Thread& t : block.threads) {
    if (t.state == State::exited) continue;
    t.state = State::ready;
    t.result = t.kind == Collective(1) ? count : t.kind == Collective(2) ? all : any;
  }
}

int wait_at_barrier(int kind, int predicate, int line, Site site) {
  Thread* t = current;
  if (!t) {
    fprintf(stderr, "cudahost: __syncthreads() called on the host\n");
    stop(3);
  }
  settle(*t);
  settle_read(*t, 0, false);
  t->left_early = false;
  t->state = State::at_barrier;
  t->site = site;
  t->line = line;
  t->kind = Collective(kind);
  t->predicate = predicate;
  Block& block = *t->block;
  ++progress;
  if (++block.waiting == block.live) release_barrier(block);
  else to_scheduler();
  return t->result;
}

void mask_problem(Thread& t, const char* how, int lane) {
  Finding found("warp-mask");
  found.space(Space::none).at(t.site).thread(t).text("how", how).text("what", name_of(t.kind)).number("mask", t.mask).number("lane", lane);
  if (lane >= 0 && size_t(t.warp() * 32 + lane) < t.block->threads.size()) {
    Thread& other = t.block->threads[t.warp() * 32 + lane];
    found.thread("other", *t.block->operation, t.block->index, other.index);
    if (other.state == State::at_barrier || other.state == State::at_collective) found.other(other.site);
  }
  found.report();
}

// All lanes of the mask that still run are here, with the same collective and the same mask?
bool all_here(Block& block, Thread& t) {
  for (unsigned lanes = t.mask; lanes; lanes &= lanes - 1) {
    size_t index = t.warp() * 32 + unsigned(__builtin_ctz(lanes));
    if (index >= block.threads.size()) continue;  // beyond the block: there is no such lane
    Thread& other = block.threads[index];
    if (other.state == State::exited) continue;
    if (other.state != State::at_collective || other.mask != t.mask || other.kind != t.kind || other.finish != t.finish) return false;
  }
  return true;
}

void complete(Block& block, Thread& t) {
  void* deposits[32] = {};
  unsigned warp = t.warp(), mask = t.mask;
  for (unsigned lane = 0; lane < 32; ++lane) {
    size_t index = warp * 32 + lane;
    if (!(mask >> lane & 1) || index >= block.threads.size()) continue;
    Thread& other = block.threads[index];
    if (other.state == State::exited) {
      if (!other.left_early) {
        mask_problem(t, "left", int(lane));
        abandon(cudaErrorLaunchFailure);  // what comes after would be undefined
      }
      continue;
    }
    deposits[lane] = other.deposit;
  }
  if (t.finish) t.finish(deposits, nullptr);
  if (t.kind == Collective::syncwarp || t.kind == Collective::matrix) {
    clocks_at_syncwarp(block, warp, mask);
    if (tracing) trace_flush_warp(block, warp);
  }
  ++progress;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (deposits[lane]) block.threads[warp * 32 + lane].state = State::ready;
}

void complete_collectives(Block& block, unsigned warp) {
  for (size_t i = warp * 32; i < std::min<size_t>(warp * 32 + 32, block.threads.size()); ++i)
    if (Thread& t = block.threads[i]; t.state == State::at_collective && all_here(block, t)) complete(block, t);
}

// Nobody of this block can go on: says who waits for what, and ends the program, for a GPU would hang.
[[noreturn]] void deadlock(Block& block) {
  Thread *at_barrier = nullptr, *at_collective = nullptr;
  for (Thread& t : block.threads) {
    if (t.state == State::at_barrier && !at_barrier) at_barrier = &t;
    if (t.state == State::at_collective && !at_collective) at_collective = &t;
  }
  if (at_collective) {
    Thread& t = *at_collective;
    int missing = -1;
    for (unsigned lanes = t.mask; lanes; lanes &= lanes - 1) {
      unsigned lane = unsigned(__builtin_ctz(lanes));
      size_t index = t.warp() * 32 + lane;
      if (index >= block.threads.size() || block.threads[index].state == State::exited) continue;
      Thread& other = block.threads[index];
      if (other.state == State::at_collective && other.mask == t.mask && other.kind == t.kind && other.finish == t.finish) continue;
      missing = int(lane);
      break;
    }
    mask_problem(t, "absent", missing);
  } else {
    Finding found("deadlock");
    found.space(Space::none).at(at_barrier->site).thread(*at_barrier).text("standing", where_all_stand()).report();
  }
  stop(1);
}

void nobody_moves() {
  Finding found("deadlock");
  for (Block* block : resident)
    for (Thread& t : block->threads)
      if (t.spinning) {
        found.space(Space::none).at(t.idle_site[0]).thread(t).text("how", "spinning").text("standing", where_all_stand()).report();
        stop(1);
      }
  stop(1);
}

void out_of_time(int) {
  if (current) {
    Finding found("deadlock");
    found.space(Space::none).at(current->idle_site[0]).thread(*current).text("how", "endless").text("standing", where_all_stand()).report();
    stop(1);
  }
  report_line("{\"event\":\"problem\",\"kind\":\"timeout\",\"space\":\"\"}");
  stop(1);
}

// `while (*flag == 0) {}` with a plain flag: the compiler reads it once, and the loop touches no memory. Looked at once in a
// second of processor time, so that a busy machine changes nothing.
void look_in(int, siginfo_t*, void* context) {
  static uint64_t before = 0;
  static unsigned silent = 0;
  if (!current || signs_of_life != before) {
    before = signs_of_life;
    silent = 0;
    return;
  }
  if (++silent < SILENT) return;
  Address at = Address(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  Finding found("deadlock");
  found.space(Space::none).at(at >> 32 ? current->idle_site[0] : Site(at)).thread(*current).number("seconds", SILENT).text("how", "silent").report();
  stop(1);
}

void crashed(int number, siginfo_t* info, void* context) {
  Address at = Address(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  Finding found("crash");
  found.space(Space::none).number("signal", number).number("address", (long long)info->si_addr);
  if (at >> 32) at = Address(current ? current->idle_site[0] : 0);  // in a library
  found.at(Site(at));
  if (current) found.thread(*current);
  found.report();
  stop(128 + number);
}

void watch_signals() {
  signal(SIGALRM, out_of_time);
  alarm(number_from("CUDAHOST_SECONDS", 120));
  static char stack[64 << 10];
  stack_t alternate{stack, 0, sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction watch {};
  watch.sa_sigaction = look_in;
  watch.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(SIGVTALRM, &watch, nullptr);
  itimerval second{{1, 0}, {1, 0}};
  setitimer(ITIMER_VIRTUAL, &second, nullptr);
  struct sigaction action {};
  action.sa_sigaction = crashed;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  sigaction(SIGFPE, &action, nullptr);
}

}  // namespace

void register_exit();

Block* resident_block(unsigned index) {
  for (Block* block : resident)
    if (block->index == index) return block;
  return nullptr;
}

bool in_stack(const Thread& t, Address a) { return a - Address(t.stack) < STACK; }
bool in_any_stack(Address a) { return a - Address(stacks()) < STACK * MOST_FIBERS; }
bool stack_overflows(const Thread& t) { return Address(__builtin_frame_address(0)) < Address(t.stack) + 8192; }

void run_kernel(Operation& operation) {
  running = &operation;
  abandoned = false;
  begin_operation_races(operation);
  unsigned blocks = operation.blocks(), size = operation.block_size(), next = 0;
  size_t most = std::max<size_t>(1, MOST_FIBERS / size);
  size_t wanted = std::min<size_t>(most, schedule == Schedule::random ? 3 : 1);
  std::vector<unsigned> sequence = order(blocks);
  free_slots.clear();
  for (unsigned slot = slots_made; slot-- > 0;) free_slots.push_back(slot);
  unsigned idle_rounds = 0;
  uint64_t before = progress;

  while (!abandoned) {
    while (resident.size() < wanted && next < blocks) resident.push_back(admit(operation, sequence[next++]));
    if (resident.empty()) break;
    bool only_spinning = true;
    for (size_t i = 0; i < resident.size() && !abandoned; ++i) {
      Block& block = *resident[i];
      bool ran = false;
      for (unsigned index : order(size)) {
        Thread& t = block.threads[index];
        if (t.state != State::ready) continue;
        ran = true;
        resume(t);
        if (!t.spinning) only_spinning = false;
        if (abandoned) break;
      }
      if (!ran && block.live && !abandoned) {
        bool ready = false;
        for (Thread& t : block.threads) ready |= t.state == State::ready;
        if (!ready) deadlock(block);
      }
    }
    for (size_t i = resident.size(); i-- > 0;)
      if (!resident[i]->live) {
        retire(resident[i]);
        resident.erase(resident.begin() + long(i));
        only_spinning = false;
      }
    if (!only_spinning || progress != before) {
      idle_rounds = 0;
      before = progress;
    } else if (++idle_rounds % 3 == 0 && next < blocks && resident.size() < most) {
      wanted = resident.size() + 1;
    } else if (idle_rounds > PATIENCE) {
      nobody_moves();
    }
  }
  for (Block* block : resident) retire(block);
  resident.clear();
  running = nullptr;
  if (abandoned) break_context(abandon_error, operation.site);
}

void switch_point() {
  current->spinning = current->idle_streak > 0;
  to_scheduler();
}

void yield_spinning() {
  settle(*current);
  current->spinning = true;
  to_scheduler();
}

void abandon(cudaError_t error) {
  abandoned = true;
  abandon_error = error;
  to_scheduler();
  abort();
}

std::string where_all_stand() {
  // Counted by what they wait for; the addresses become lines in the report.
  std::map<std::pair<std::string, Site>, unsigned> groups;
  for (Block* block : resident)
    for (Thread& t : block->threads) {
      if (t.state == State::exited) ++groups[{"exited", 0}];
      else if (t.state == State::at_barrier) ++groups[{"at __syncthreads", t.site}];
      else if (t.state == State::at_collective) ++groups[{std::string("at ") + name_of(t.kind), t.site}];
      else if (t.spinning) ++groups[{"spinning", t.idle_site[0]}];
      else ++groups[{"running", t.idle_site[0]}];
    }
  std::string all;
  for (auto& [what, count] : groups) all += std::to_string(count) + "|" + what.first + "|" + std::to_string(what.second) + ";";
  return all;
}

// --- what the program calls -------------------------------------------------------------------------------------------

uint3 thread_index() { return current ? current->position : uint3{0, 0, 0}; }
uint3 block_index() { return current ? current->block->position : uint3{0, 0, 0}; }
dim3 block_dimensions() { return current ? current->block->operation->block : dim3(0, 0, 0); }
dim3 grid_dimensions() { return current ? current->block->operation->grid : dim3(0, 0, 0); }
unsigned lane_id() { return current->lane(); }
void entered() {
  if (current) current->entering = false;
}

void pause_trace(bool paused) {
  if (current) current->untraced = paused;
}

void early_return() {
  if (!current) return;
  settle(*current);
  current->left_early = true;
}

unsigned undefined_bits() {
  static unsigned bits = number_from("CUDAHOST_UNDEFINED", 0xFF);
  return bits;
}
void undefined_lane(int source) {
  undefined_used = true;
  note("undefined-lane", current->site, std::to_string(source));
}

void meet(Collective kind, unsigned mask, void* deposit, Finish finish, int line) {
  Thread* t = current;
  settle(*t);
  settle_read(*t, 0, false);
  t->left_early = false;
  t->site = CUDAHOST_SITE;
  t->line = line;
  t->mask = mask;
  t->kind = kind;
  t->deposit = deposit;
  t->finish = finish;
  if (!(mask >> t->lane() & 1)) {
    mask_problem(*t, "self", int(t->lane()));
    abandon(cudaErrorLaunchFailure);
  }
  t->state = State::at_collective;
  ++progress;
  if (all_here(*t->block, *t)) complete(*t->block, *t);
  else to_scheduler();
}

void* shared_variable(const void* key, const char* name, size_t bytes) {
  Thread* t = current;
  if (!t) {
    fprintf(stderr, "cudahost: shared memory used on the host\n");
    stop(3);
  }
  Block& block = *t->block;
  auto known = block.variables.find(key);
  if (known != block.variables.end()) return reinterpret_cast<void*>(known->second->begin);
  Allocation*& it = slot_variables[block.slot][key];
  if (!it) it = new_allocation(bytes, Space::shared, name, CUDAHOST_SITE);
  if (!it) stop(3);
  poison(it->begin, it->size());
  it->owner = &block;
  it->generation = block.generation;
  block.variables[key] = it;
  block.static_bytes += bytes;
  if (block.static_bytes > 49152) {
    Finding("too-much-shared").space(Space::shared).at(CUDAHOST_SITE).thread(*t).number("bytes", (long long)block.static_bytes).report();
    abandon(cudaErrorInvalidValue);
  }
  return reinterpret_cast<void*>(it->begin);
}

void* dynamic_shared() {
  Block& block = *current->block;
  if (block.dynamic) return reinterpret_cast<void*>(block.dynamic->begin);
  // A launch without dynamic shared memory: whatever is accessed through it is out of bounds.
  static Allocation* nothing = new_allocation(0, Space::shared, "dynamic shared memory", 0);
  return reinterpret_cast<void*>(nothing->begin);
}

int barrier_count(int predicate, int line) { return wait_at_barrier(1, predicate, line, CUDAHOST_SITE); }
int barrier_and(int predicate, int line) { return wait_at_barrier(2, predicate, line, CUDAHOST_SITE); }
int barrier_or(int predicate, int line) { return wait_at_barrier(3, predicate, line, CUDAHOST_SITE); }

}  // namespace cudahost

using namespace cudahost;

void __syncthreads(int line) { wait_at_barrier(0, 0, line, CUDAHOST_SITE); }
void __threadfence() { if (current) fence(*current, true); }
void __threadfence_system() { if (current) fence(*current, true); }
void __threadfence_block() { if (current) fence(*current, false); }
void __nanosleep(unsigned) { if (current) yield_spinning(); }
unsigned __activemask() { return 1u << current->lane(); }  // which lanes run together is not defined: here each runs alone
void __trap() {
  Finding("trap").space(Space::none).at(CUDAHOST_SITE).thread(*current).report();
  abandon(cudaErrorLaunchFailure);
}

// assert() of a kernel stops the kernel, that of host code the program.
extern "C" void __assert_fail(const char* assertion, const char* path, unsigned line, const char* function) noexcept {
  const char* base = strrchr(path, '/');
  const char* name = base ? base + 1 : path;
  if (!current) {
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", name, line, function, assertion);
    stop(134);
  }
  const uint3 &b = current->block->position, &t = current->position;
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", name, line, function, b.x, b.y, b.z, t.x, t.y, t.z, assertion);
  Finding("assert").space(Space::none).at(CUDAHOST_SITE).thread(*current).text("detail", assertion).report();
  abandon(cudaErrorAssert);
}

// The program's own main goes by another name: the host's comes first, when all static variables are there.
extern "C" int cudahost_main(int argc, char** argv, char** environment);
int main(int argc, char** argv, char** environment) {
  watch_signals();
  register_exit();
  exit(cudahost_main(argc, argv, environment));
}
