// The inside of the host: what its parts know of each other. Nothing here is seen by the reader's program.
//
//   memory.cpp      the device's address space: allocations of exact size, red zones, which bytes have been written
//   pipeline.cpp    cp.async: copies that land when the thread waits for them
//   threads.cpp     one fiber per CUDA thread; blocks, barriers, warp collectives, schedules, the watchdog
//   races.cpp       vector clocks: is this access ordered with every earlier one to the same bytes?
//   accesses.cpp    every load and store of the program, as the compiler's instrumentation reports it
//   trace.cpp       sectors, wavefronts and lanes per source line
//   streams.cpp     operations that wait in streams until somebody synchronizes
//   graphs.cpp      streams that write down what they are given, and graphs that give it to streams again
//   runtime_api.cpp the CUDA runtime API
//   report.cpp      one JSON line per finding; words and line numbers are Python's business
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cuda_runtime.h"
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

namespace cudahost {

using Address = uintptr_t;
using Site = uint32_t;  // address of an instruction: programs are linked below 4 GB

struct Operation;
struct Block;

inline Site caller(void* return_address) { return Site(Address(return_address) - 1); }
#define CUDAHOST_SITE caller(__builtin_return_address(0))

// --- memory.cpp -------------------------------------------------------------------------------------------------------

constexpr Address ARENA = 0x200000000000, ARENA_SIZE = Address(1) << 34;
constexpr Address PAGE = 4096;

struct Allocation {
  Address begin = 0, end = 0;
  Space space = Space::none;
  std::string name;      // of a variable; empty for what cudaMalloc gave
  Site site = 0;         // who allocated it
  Site freed_at = 0;     // who freed it
  bool freed = false;
  Block* owner = nullptr;  // shared memory: of which block
  uint32_t generation = 0; // shared memory: of which run of a block
  size_t size() const { return end - begin; }
};

inline bool in_arena(Address a) { return a - ARENA < ARENA_SIZE; }
Allocation* new_allocation(size_t bytes, Space space, const std::string& name, Site site);  // null: no memory left
Allocation* allocation_near(Address a);   // the one it lies in or beside
Allocation* allocation_of(Address a);     // the one it lies in, freed ones included
void free_allocation(Allocation& allocation, Site site);
void poison(Address a, size_t bytes);     // 0xFF, and nothing of it counts as written
void mark_written(Address a, size_t bytes);
bool all_unwritten(Address a, size_t bytes);
size_t arena_left();
bool is_device_variable(Address begin);

// --- threads.cpp ------------------------------------------------------------------------------------------------------

enum class State : uint8_t { ready, at_barrier, at_collective, exited };

using Knowledge = std::unordered_map<uint64_t, uint32_t>;  // what a thread has learned of others: see races.cpp
using Shared = std::shared_ptr<const Knowledge>;

// A store whose value is not there yet: instrumentation comes before it. Looked at when the thread's next event comes.
struct PendingWrite {
  Address address = 0;
  unsigned size = 0;
  unsigned char old[16];
  bool conflict = false;
  std::string report;  // of a race, should the store have changed the value
};
struct OpenRead {      // the last plain read: a compare-and-swap loop reads before it swaps
  Address address = 0;
  unsigned size = 0;
  std::string report;
};

struct AsyncCopy {
  char* to;
  const char* from;
  size_t bytes, zeros;
  unsigned group;
  Site site;
};

struct Thread {
  void* stack_pointer = nullptr;
  char* stack = nullptr;
  Block* block = nullptr;
  unsigned index = 0;  // in its block
  uint3 position{};
  State state = State::ready;
  bool entering = true;       // still copying its arguments
  bool left_early = false;    // by `return`, and nothing after it
  Site site = 0;              // where it waits
  int line = 0;
  unsigned mask = 0;
  Collective kind{};
  void* deposit = nullptr;
  Finish finish = nullptr;
  int predicate = 0, result = 0;
  uint32_t clock = 1, warp_floor = 0;
  std::unique_ptr<std::array<uint32_t, 32>> lanes;  // what it knows of single lanes, after a __syncwarp of some
  Shared others;                                    // what it knows of other warps and blocks, through atomics and fences
  Shared released_in_block, released_in_device;     // what its last fence makes visible
  PendingWrite write;
  OpenRead read;
  Site idle_site[2] = {0, 0};
  Address idle_address[2] = {0, 0};
  bool spinning = false;
  unsigned idle_streak = 0;  // looks at the same places since anything else happened
  bool untraced = false;
  std::vector<AsyncCopy> copies;                    // cp.async: not there yet
  unsigned copy_group = 0;
  unsigned same_reads = 0;
  unsigned lane() const { return index & 31; }
  unsigned warp() const { return index >> 5; }
};

struct Block {
  Operation* operation = nullptr;
  unsigned index = 0;
  uint3 position{};
  unsigned slot = 0;
  std::vector<Thread> threads;
  unsigned live = 0, waiting = 0;
  uint32_t floor = 0;        // what any thread of the block did before this clock is known to all of them
  uint32_t generation = 0;
  std::unordered_map<const void*, Allocation*> variables;
  Allocation* dynamic = nullptr;
  size_t static_bytes = 0;
};

extern Thread* current;      // null while the program's own (host) code runs
extern bool abandoned;       // the running kernel has done something a GPU stops it for
void run_kernel(Operation& operation);
void switch_point();         // lets others run, in the random schedule
void yield_spinning();
[[noreturn]] void abandon(cudaError_t error);  // the kernel ends here; the context is broken
std::string where_all_stand();
extern uint64_t progress;
extern uint64_t signs_of_life;  // accesses, and turns of threads
enum class Schedule { forward, reverse, random };
extern Schedule schedule;
extern std::mt19937 random_bits;

// --- races.cpp --------------------------------------------------------------------------------------------------------

enum AccessFlag : unsigned { READ = 0, WRITE = 1, ATOMIC = 2, VOLATILE = 4, BLOCK_SCOPE = 8, RANGE = 16, ASYNC = 32 };
void check_race(Thread& thread, Allocation& allocation, Address a, unsigned size, unsigned flags, Site site);
void settle(Thread& thread);                     // looks at the thread's last store and read
void settle_read(Thread& thread, Address next, bool atomic);
void clocks_at_barrier(Block& block);
void clocks_at_syncwarp(Block& block, unsigned warp, unsigned mask);
void fence(Thread& thread, bool device_scope);
void publish(Thread& thread, Address a, bool keep);  // an atomic or volatile store: what the last fence released
void learn(Thread& thread, Address a);               // an atomic or volatile load
uint32_t next_generation();
void begin_operation_races(Operation& operation);

// --- accesses.cpp -----------------------------------------------------------------------------------------------------

void access(Address a, unsigned size, unsigned flags, Site site);
bool reachable_by_host(const void* pointer);

// --- trace.cpp --------------------------------------------------------------------------------------------------------

extern bool tracing;
void trace_access(Thread& thread, const Allocation& allocation, Address a, unsigned size, unsigned flags, Site site);
void trace_flush(Block& block);
void trace_flush_warp(Block& block, unsigned warp);
void trace_report();

// --- streams.cpp ------------------------------------------------------------------------------------------------------

struct Graph;
struct Stream {
  unsigned id = 0;
  bool blocking = true;
  bool alive = true;
  std::vector<Operation*> operations;
  Graph* capture = nullptr;                       // what it is given is written down here, and does not happen
  Operation* captured_last = nullptr;
};
// What a stream is given. A graph gives it again and again, so `work` has to bear being done more than once.
struct Task {
  const char* what = "";
  Site site = 0;
  std::function<void(Operation&)> work;
  // of a kernel
  std::string kernel;
  dim3 grid, block;
  size_t shared_bytes = 0;
  Body body = nullptr;
  std::shared_ptr<const void> closure;
  unsigned block_size() const { return block.x * block.y * block.z; }
  unsigned blocks() const { return grid.x * grid.y * grid.z; }
};
struct Operation : Task {
  explicit Operation(Task task) : Task(std::move(task)) {}
  uint32_t id = 0;
  Stream* stream = nullptr;
  uint32_t sequence = 0;                          // in its stream
  std::map<unsigned, uint32_t> seen;              // stream → the last of its operations that is known to be over
  std::vector<Operation*> after;
  bool done = false;
  Graph* graph = nullptr;                         // it is a node of this graph, and itself never happens
};
extern Operation* running;                         // the operation that is being executed
Stream* stream_of(cudaStream_t handle);            // null: not a stream
Operation& issue(Stream& stream, Task task);
void add_dependency(Operation& operation, Operation* earlier);
std::deque<Stream>& streams();                     // the default stream is the first
Stream* new_stream(bool blocking);
void wait_for(Operation* operation);
void wait_for_stream(Stream& stream);
void wait_for_everything();
bool is_before(uint32_t operation_id, const Operation& now);
const Operation& operation_of(uint32_t id);

// --- graphs.cpp -------------------------------------------------------------------------------------------------------

Operation& capture(Stream& stream, Task task);
cudaError_t admit(Stream& stream);                 // may it be given something? The default stream not while others capture
cudaError_t unsafe_call();                         // of a call that a capture does not see: cudaMalloc and the like
cudaError_t synchronizing_call(Stream* stream);    // of a call that waits for `stream`, null for the whole device
cudaError_t invalidate(Graph& capture, cudaError_t error);
cudaError_t wait_in_capture(Stream& stream, Operation& event);
void note_graphs_never_launched();

// --- runtime_api.cpp --------------------------------------------------------------------------------------------------

cudaError_t fail(cudaError_t error, Site site, const std::string& what);  // remembers it, as cudaGetLastError would tell
void break_context(cudaError_t error, Site site);
extern size_t dynamic_limit(const void* kernel);

// --- report.cpp -------------------------------------------------------------------------------------------------------

// One finding. `add` takes what the finding needs beyond the common fields.
class Finding {
 public:
  explicit Finding(const char* kind);
  Finding& space(Space space);
  Finding& at(Site site);
  Finding& other(Site site);
  Finding& thread(const char* role, const Operation& operation, unsigned block, unsigned thread);
  Finding& thread(const Thread& thread);
  Finding& text(const char* key, const std::string& value);
  Finding& number(const char* key, long long value);
  Finding& object(const Allocation& allocation, Address a);
  std::string line() const;      // the JSON line, for a finding that may be withdrawn
  void report() const;           // once for each kind and pair of lines
  static void report(const std::string& line);

 private:
  std::string fields_, key_;
};
[[noreturn]] void not_covered(Site site, const char* what);  // the program is refused: it would be run wrongly
void note(const char* kind, Site site, const std::string& detail = "", Site other = 0);
void report_line(const std::string& line);
const char* name_of(Space space);
[[noreturn]] void stop(int status);   // the program ends here, with what was found written down
extern bool undefined_used;

}  // namespace cudahost
