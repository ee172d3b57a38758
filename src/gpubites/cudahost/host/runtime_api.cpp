// The CUDA runtime API: what it checks, what it returns, and how errors stick.
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

namespace cudahost {

bool anything_undone();
const Operation* first_undone_kernel();
void conflicts_with_host(const Operation& operation, const Allocation& it, Address a, size_t size, bool writes, Site site, const Thread* thread);
extern uint64_t kernels_run;

namespace {

cudaError_t last_error = cudaSuccess, sticky_error = cudaSuccess;
struct Unreported {
  cudaError_t error;
  Site site;
  std::string what;
  bool launch;
};
std::vector<Unreported> unreported;
uint64_t digest = 14695981039346656037u;
std::unordered_map<const void*, size_t> opted_in;  // kernel → dynamic shared memory it may have

struct Event {
  Operation* operation = nullptr;
  bool alive = true, timing = true;
};
std::deque<Event> events;

Event* event_of(cudaEvent_t handle) {
  for (Event& known : events)
    if (reinterpret_cast<cudaEvent_t>(&known) == handle && known.alive) return &known;
  return nullptr;
}

// An event that stands in a graph says nothing about what runs.
cudaError_t captured(Event& event) {
  return event.operation && event.operation->graph ? invalidate(*event.operation->graph, cudaErrorCapturedEvent) : cudaSuccess;
}

void digest_bytes(const void* from, size_t bytes) {
  auto* p = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < bytes; ++i) digest = (digest ^ p[i]) * 1099511628211u;
}

// What is left when the program ends.
void at_exit(int status, void*) {
  if (current) return;
  if (anything_undone() && !sticky_error) {
    if (const Operation* kernel = first_undone_kernel()) note("never-waited", kernel->site, kernel->kernel);
    fflush(stdout);
    int out = dup(1);
    FILE* nowhere = freopen("/dev/null", "w", stdout);  // what a kernel prints after the end is never seen
    wait_for_everything();
    fflush(stdout);
    dup2(out, 1);
    (void)nowhere;
  }
  for (const Unreported& one : unreported) {
    Finding found("unchecked-error");
    found.space(Space::none).at(one.site).text("what", one.what).text("error", cudaGetErrorName(one.error)).text("detail", cudaGetErrorString(one.error));
    found.number("launch", one.launch).report();
  }
  if (!sticky_error) note_graphs_never_launched();
  trace_report();
  report_line("{\"event\":\"end\",\"status\":" + std::to_string(status) + ",\"digest\":\"" + std::to_string(digest) +
              "\",\"undefined\":" + (undefined_used ? "true" : "false") + ",\"kernels\":" + std::to_string(kernels_run) + "}");
}
#define RETURN_IF_BROKEN(site)                                       \
  do {                                                               \
    if (sticky_error) return fail(sticky_error, site, __func__);     \
  } while (0)
#define RETURN_IF(error, site, what)                                 \
  do {                                                               \
    if (cudaError_t it = (error)) return fail(it, site, what);       \
  } while (0)

// --- copies -----------------------------------------------------------------------------------------------------------

enum class Where { host, pinned, managed, device };

Where where(const void* p) {
  Allocation* it = allocation_near(Address(p));
  if (!it) return Where::host;
  return it->space == Space::pinned ? Where::pinned : it->space == Space::managed ? Where::managed : Where::device;
}

// One side of a copy: inside one living allocation?
bool check_range(const void* p, size_t bytes, bool writes, Site site, const char* what) {
  if (!bytes || !in_arena(Address(p))) return true;
  Address a = Address(p);
  Allocation* it = allocation_of(a);
  if (it && !it->freed && a + bytes <= it->end) return true;
  Allocation* beside = it ? it : allocation_near(a);
  if (!beside) return true;
  Finding found(beside->freed ? "use-after-free" : "out-of-bounds");
  found.space(beside->space).at(site).text("access", writes ? "write" : "read").text("call", what).number("bytes", (long long)bytes).object(*beside, a).report();
  return false;
}

bool direction_fits(const void* to, const void* from, cudaMemcpyKind kind, Site site, const char* what) {
  Where target = where(to), source = where(from);
  auto may_be_host = [](Where w) { return w != Where::device; };
  auto may_be_device = [](Where w) { return w != Where::host; };
  bool fits = true;
  switch (kind) {
    case cudaMemcpyHostToHost: fits = may_be_host(target) && may_be_host(source); break;
    case cudaMemcpyHostToDevice: fits = may_be_device(target) && may_be_host(source); break;
    case cudaMemcpyDeviceToHost: fits = may_be_host(target) && may_be_device(source); break;
    case cudaMemcpyDeviceToDevice: fits = may_be_device(target) && may_be_device(source); break;
    case cudaMemcpyDefault: break;
    default: fits = false;
  }
  if (fits) return true;
  static const char* kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
  Finding found("copy-direction");
  found.space(Space::none).at(site).text("call", what).text("detail", kind >= 0 && kind <= 4 ? kinds[kind] : "not a cudaMemcpyKind");
  found.text("to", target == Where::device ? "device" : "host").text("from", source == Where::device ? "device" : "host").report();
  return false;
}

void move_bytes(void* to, const void* from, size_t bytes) {
  memmove(to, from, bytes);
  if (in_arena(Address(to))) {
    mark_written(Address(to), bytes);
  }
  if (where(to) != Where::device && where(from) != Where::host) digest_bytes(from, bytes);
}

// Rows of `width` bytes; a plain copy is one row.
cudaError_t copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t handle,
                 bool async, Site site, const char* what) {
  if (sticky_error) return fail(sticky_error, site, what);
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, site, what);
  RETURN_IF(admit(*stream), site, what);
  if (!async) RETURN_IF(unsafe_call(), site, what);
  if (!width || !height) return cudaSuccess;
  size_t to_bytes = to_pitch * (height - 1) + width, from_bytes = from_pitch * (height - 1) + width;
  if (!to || !from || to_pitch < width || from_pitch < width) return fail(to && from ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue, site, what);
  bool good = direction_fits(to, from, kind, site, what);
  good = good && check_range(to, to_bytes, true, site, what) && check_range(from, from_bytes, false, site, what);
  if (!good) return fail(cudaErrorInvalidValue, site, what);

  // Pageable memory is staged: what goes to the device is read now, what comes from it has arrived when the call returns.
  // A graph's node reads and writes it at each launch.
  std::shared_ptr<std::vector<char>> staged;
  if (async && where(from) == Where::host && !stream->capture) {
    staged = std::make_shared<std::vector<char>>(static_cast<const char*>(from), static_cast<const char*>(from) + from_bytes);
  }
  auto work = [=](Operation& self) {
    if (sticky_error) return;
    check_range(to, to_bytes, true, site, what);  // freed in the meantime?
    check_range(from, from_bytes, false, site, what);
    Allocation *target = allocation_of(Address(to)), *source = allocation_of(Address(from));
    if (target) conflicts_with_host(self, *target, Address(to), to_bytes, true, site, nullptr);
    if (source) conflicts_with_host(self, *source, Address(from), from_bytes, false, site, nullptr);
    if ((target && target->freed) || (source && source->freed)) return;
    const char* begin = staged ? staged->data() : static_cast<const char*>(from);
    for (size_t row = 0; row < height; ++row) move_bytes(static_cast<char*>(to) + row * to_pitch, begin + row * from_pitch, width);
  };
  Operation& operation = issue(*stream, {what, site, work});
  if (operation.graph) return cudaSuccess;
  bool to_pageable = where(to) == Where::host, on_device = where(to) == Where::device && where(from) == Where::device;
  if (async ? to_pageable : !on_device) wait_for(&operation);
  return sticky_error ? fail(sticky_error, site, what) : cudaSuccess;
}

cudaError_t set(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t handle, Site site, const char* what) {
  if (sticky_error) return fail(sticky_error, site, what);
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, site, what);
  RETURN_IF(admit(*stream), site, what);
  if (!width || !height) return cudaSuccess;
  size_t bytes = pitch * (height - 1) + width;
  if (!in_arena(Address(pointer))) {
    Finding("host-pointer").space(Space::host).at(site).text("what", "call").text("call", what).report();
    return fail(cudaErrorInvalidValue, site, what);
  }
  if (!check_range(pointer, bytes, true, site, what)) return fail(cudaErrorInvalidValue, site, what);
  issue(*stream, {what, site, [=](Operation& self) {
    if (sticky_error || !check_range(pointer, bytes, true, site, what)) return;
    conflicts_with_host(self, *allocation_of(Address(pointer)), Address(pointer), bytes, true, site, nullptr);
    for (size_t row = 0; row < height; ++row) {
      memset(static_cast<char*>(pointer) + row * pitch, value, width);
      mark_written(Address(pointer) + row * pitch, width);
    }
  }});
  return cudaSuccess;
}

cudaError_t synchronized(Site site, const char* what) { return sticky_error ? fail(sticky_error, site, what) : cudaSuccess; }

}  // namespace

uint64_t kernels_run = 0;

void register_exit() { on_exit(at_exit, nullptr); }

cudaError_t fail(cudaError_t error, Site site, const std::string& what) {
  last_error = error;
  if (!(sticky_error && error == sticky_error && !unreported.empty())) unreported.push_back({error, site, what, false});
  return error;
}

void break_context(cudaError_t error, Site) { sticky_error = last_error = error; }

// --- launches ---------------------------------------------------------------------------------------------------------

void enqueue(const char* kernel, const void* key, dim3 grid, dim3 block, size_t shared_bytes, void* handle, Body body, void (*destroy)(void*), void* closure) {
  Site site = CUDAHOST_SITE;
  cudaError_t error = cudaSuccess;
  Stream* stream = stream_of(static_cast<cudaStream_t>(handle));
  uint64_t threads = uint64_t(block.x) * block.y * block.z, blocks = uint64_t(grid.x) * grid.y * grid.z;
  auto allowed = opted_in.find(key);
  size_t most = 49152;
  if (allowed != opted_in.end()) most = std::max(most, allowed->second);
  if (!key)  // one of several kernels of that name: what any kernel may have
    for (auto& [kernel_address, bytes] : opted_in) most = std::max(most, bytes);
  if (sticky_error) error = sticky_error;
  else if (!stream) error = cudaErrorInvalidResourceHandle;
  else if (cudaError_t refused = admit(*stream)) error = refused;
  else if (!threads || threads > 1024 || block.x > 1024 || block.y > 1024 || block.z > 64) error = cudaErrorInvalidConfiguration;
  else if (!blocks || grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535) error = cudaErrorInvalidConfiguration;
  else if (shared_bytes > most) error = cudaErrorInvalidValue;
  if (error) {
    last_error = error;
    if (error != sticky_error) unreported.push_back({error, site, kernel, true});
    destroy(closure);
    return;
  }
  Task task{"kernel", site, [](Operation& self) {
    if (sticky_error) return;
    ++kernels_run;
    run_kernel(self);
  }};
  task.kernel = kernel;
  task.grid = grid;
  task.block = block;
  task.shared_bytes = shared_bytes;
  task.body = body;
  task.closure = {closure, destroy};
  issue(*stream, std::move(task));
}

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || value > 232448) return fail(cudaErrorInvalidValue, CUDAHOST_SITE, "cudaFuncSetAttribute");
  opted_in[kernel] = size_t(value);
  return cudaSuccess;
}

cudaError_t occupancy(int* blocks, const void*, int block_size, size_t dynamic_shared) {
  Site site = CUDAHOST_SITE;
  if (!blocks || block_size <= 0) return fail(cudaErrorInvalidValue, site, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  note("occupancy", site);
  int warps = (block_size + 31) / 32;
  size_t shared = dynamic_shared + 1024;
  *blocks = block_size > 1024 ? 0 : int(std::min<size_t>({32, size_t(64 / warps), 233472 / shared}));
  return cudaSuccess;
}

// --- memory -----------------------------------------------------------------------------------------------------------

cudaError_t allocate(void** pointer, size_t bytes, Space space) {
  Site site = CUDAHOST_SITE;
  const char* what = space == Space::global ? "cudaMalloc" : space == Space::managed ? "cudaMallocManaged" : "cudaMallocHost";
  if (sticky_error) return fail(sticky_error, site, what);
  RETURN_IF(unsafe_call(), site, what);
  if (!pointer) return fail(cudaErrorInvalidValue, site, what);
  if (!bytes && space != Space::managed) {
    *pointer = nullptr;
    return cudaSuccess;
  }
  if (!bytes) return fail(cudaErrorInvalidValue, site, what);
  Allocation* it = new_allocation(bytes, space, "", site);
  if (!it) {
    *pointer = nullptr;
    return fail(cudaErrorMemoryAllocation, site, what);
  }
  *pointer = reinterpret_cast<void*>(it->begin);
  return cudaSuccess;
}

cudaError_t release(void* pointer, Space space) {
  Site site = CUDAHOST_SITE;
  const char* what = space == Space::global ? "cudaFree" : "cudaFreeHost";
  if (!pointer) return cudaSuccess;
  RETURN_IF(unsafe_call(), site, what);
  wait_for_everything();  // cudaFree waits for the device
  if (sticky_error) return fail(sticky_error, site, what);
  Address a = Address(pointer);
  Allocation* it = allocation_of(a);
  bool right_call = it && (space == Space::pinned) == (it->space == Space::pinned);
  if (!it || it->begin != a || it->freed || !right_call || !it->name.empty()) {
    Allocation* beside = it ? it : allocation_near(a);
    Finding found(it && it->freed && it->begin == a ? "double-free" : "invalid-free");
    found.space(beside ? beside->space : Space::host).at(site).text("call", what);
    if (beside) found.object(*beside, a);
    if (it && it->freed) found.other(it->freed_at);
    found.report();
    return fail(cudaErrorInvalidValue, site, what);
  }
  free_allocation(*it, site);
  return cudaSuccess;
}

cudaError_t copy_symbol(void* variable, size_t size, void* other, size_t bytes, size_t offset, cudaMemcpyKind kind, bool to_symbol, cudaStream_t stream, bool async) {
  Site site = CUDAHOST_SITE;
  const char* what = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  if (sticky_error) return fail(sticky_error, site, what);
  if (!in_arena(Address(variable))) {
    Finding("host-pointer").space(Space::host).at(site).text("what", "symbol").text("call", what).report();
    return fail(cudaErrorInvalidSymbol, site, what);
  }
  (void)size;
  char* there = static_cast<char*>(variable) + offset;
  return to_symbol ? copy(there, bytes, other, bytes, bytes, 1, kind, stream, async, site, what)
                   : copy(other, bytes, there, bytes, bytes, 1, kind, stream, async, site, what);
}

cudaError_t prefetch(const void* pointer, size_t bytes) {
  Site site = CUDAHOST_SITE;
  if (where(pointer) != Where::managed) return fail(cudaErrorInvalidValue, site, "cudaMemPrefetchAsync");
  return check_range(pointer, bytes, false, site, "cudaMemPrefetchAsync") ? cudaSuccess : fail(cudaErrorInvalidValue, site, "cudaMemPrefetchAsync");
}

}  // namespace cudahost

using namespace cudahost;

cudaError_t cudaGetLastError() {
  unreported.clear();
  cudaError_t error = last_error;
  last_error = sticky_error;
  return error;
}
cudaError_t cudaPeekAtLastError() {
  unreported.clear();
  return last_error;
}

#define CUDAHOST_ERRORS(X)                                                          \
  X(cudaSuccess, "no error")                                                        \
  X(cudaErrorInvalidValue, "invalid argument")                                      \
  X(cudaErrorMemoryAllocation, "out of memory")                                     \
  X(cudaErrorInitializationError, "initialization error")                           \
  X(cudaErrorCudartUnloading, "driver shutting down")                               \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument")                \
  X(cudaErrorInvalidPitchValue, "invalid pitch argument")                           \
  X(cudaErrorInvalidSymbol, "invalid device symbol")                                \
  X(cudaErrorInvalidDevicePointer, "invalid device pointer")                        \
  X(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy")           \
  X(cudaErrorMissingConfiguration, "__global__ function call is not configured")    \
  X(cudaErrorInvalidDeviceFunction, "invalid device function")                      \
  X(cudaErrorNoDevice, "no CUDA-capable device is detected")                        \
  X(cudaErrorInvalidDevice, "invalid device ordinal")                               \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle")                      \
  X(cudaErrorNotReady, "device not ready")                                          \
  X(cudaErrorIllegalAddress, "an illegal memory access was encountered")            \
  X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")       \
  X(cudaErrorLaunchTimeout, "the launch timed out and was terminated")              \
  X(cudaErrorAssert, "device-side assert triggered")                                \
  X(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped") \
  X(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")       \
  X(cudaErrorHardwareStackError, "hardware stack error")                            \
  X(cudaErrorIllegalInstruction, "an illegal instruction was encountered")          \
  X(cudaErrorMisalignedAddress, "misaligned address")                               \
  X(cudaErrorInvalidAddressSpace, "operation not supported on global/shared address space") \
  X(cudaErrorLaunchFailure, "unspecified launch failure")                           \
  X(cudaErrorNotPermitted, "operation not permitted")                               \
  X(cudaErrorNotSupported, "operation not supported")                               \
  X(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing") \
  X(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture") \
  X(cudaErrorIllegalState, "the operation cannot be performed in the present state") \
  X(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences") \
  X(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began") \
  X(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work") \
  X(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream") \
  X(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream") \
  X(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream") \
  X(cudaErrorUnknown, "unknown error")

const char* cudaGetErrorString(cudaError_t error) {
  if (error) unreported.clear();
  switch (error) {
#define X(name, text) case name: return text;
    CUDAHOST_ERRORS(X)
#undef X
  }
  return "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define X(name, text) case name: return #name;
    CUDAHOST_ERRORS(X)
#undef X
  }
  return "unrecognized error code";
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (!pitch) return fail(cudaErrorInvalidValue, CUDAHOST_SITE, "cudaMallocPitch");
  *pitch = (width + 511) / 512 * 512;
  Site site = CUDAHOST_SITE;
  RETURN_IF(unsafe_call(), site, "cudaMallocPitch");
  Allocation* it = new_allocation(*pitch * height, Space::global, "", site);
  if (!it) return fail(cudaErrorMemoryAllocation, site, "cudaMallocPitch");
  *pointer = reinterpret_cast<void*>(it->begin);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t handle) {
  Site site = CUDAHOST_SITE;
  RETURN_IF_BROKEN(site);
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, site, "cudaMallocAsync");
  RETURN_IF(admit(*stream), site, "cudaMallocAsync");
  if (stream->capture) not_covered(site, "cudaMallocAsync in a stream that captures");
  Allocation* it = new_allocation(bytes, Space::global, "", site);
  if (!it) return fail(cudaErrorMemoryAllocation, site, "cudaMallocAsync");
  *pointer = reinterpret_cast<void*>(it->begin);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t handle) {
  Site site = CUDAHOST_SITE;
  RETURN_IF_BROKEN(site);
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, site, "cudaFreeAsync");
  RETURN_IF(admit(*stream), site, "cudaFreeAsync");
  if (stream->capture) not_covered(site, "cudaFreeAsync in a stream that captures");
  issue(*stream, {"cudaFreeAsync", site, [=](Operation&) {
    Allocation* it = allocation_of(Address(pointer));
    if (!it || it->freed || it->begin != Address(pointer)) {
      Finding found(it && it->freed ? "double-free" : "invalid-free");
      found.space(it ? it->space : Space::host).at(site).text("call", "cudaFreeAsync");
      if (it) found.object(*it, Address(pointer));
      if (it && it->freed) found.other(it->freed_at);
      found.report();
    } else {
      free_allocation(*it, site);
    }
  }});
  return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  Allocation* it = allocation_of(Address(host));
  if (!it || it->space != Space::pinned) return fail(cudaErrorInvalidValue, CUDAHOST_SITE, "cudaHostGetDevicePointer");
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  Where w = where(pointer);
  attributes->type = w == Where::host ? cudaMemoryTypeUnregistered : w == Where::pinned ? cudaMemoryTypeHost : w == Where::managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  attributes->device = w == Where::host ? -2 : 0;
  attributes->devicePointer = w == Where::host ? nullptr : const_cast<void*>(pointer);
  attributes->hostPointer = w == Where::device || w == Where::host ? nullptr : const_cast<void*>(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  *total = ARENA_SIZE;
  *free_bytes = arena_left();
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) { return copy(to, bytes, from, bytes, bytes, 1, kind, nullptr, false, CUDAHOST_SITE, "cudaMemcpy"); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, bytes, from, bytes, bytes, 1, kind, stream, true, CUDAHOST_SITE, "cudaMemcpyAsync");
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, nullptr, false, CUDAHOST_SITE, "cudaMemcpy2D");
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, true, CUDAHOST_SITE, "cudaMemcpy2DAsync");
}
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) { return set(pointer, bytes, value, bytes, 1, nullptr, CUDAHOST_SITE, "cudaMemset"); }
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) { return set(pointer, bytes, value, bytes, 1, stream, CUDAHOST_SITE, "cudaMemsetAsync"); }
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) { return set(pointer, pitch, value, width, height, nullptr, CUDAHOST_SITE, "cudaMemset2D"); }

cudaError_t cudaDeviceSynchronize() {
  Site site = CUDAHOST_SITE;
  RETURN_IF(synchronizing_call(nullptr), site, "cudaDeviceSynchronize");
  wait_for_everything();
  return synchronized(site, "cudaDeviceSynchronize");
}
cudaError_t cudaDeviceReset() {
  RETURN_IF(synchronizing_call(nullptr), CUDAHOST_SITE, "cudaDeviceReset");
  wait_for_everything();
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device ? fail(cudaErrorInvalidDevice, CUDAHOST_SITE, "cudaSetDevice") : cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (device) return fail(cudaErrorInvalidDevice, CUDAHOST_SITE, "cudaGetDeviceProperties");
  *p = {};
  snprintf(p->name, sizeof p->name, "CPU host run (limits of compute capability 9.0)");
  p->totalGlobalMem = ARENA_SIZE;
  p->sharedMemPerBlock = 49152;
  p->sharedMemPerBlockOptin = 232448;
  p->sharedMemPerMultiprocessor = 233472;
  p->reservedSharedMemPerBlock = 1024;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = 32;
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->totalConstMem = 65536;
  p->major = 9;
  p->multiProcessorCount = 132;
  p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = 1;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (cudaError_t error = cudaGetDeviceProperties(&p, device)) return error;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
  }
  return cudaSuccess;
}

// --- streams and events -----------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  RETURN_IF_BROKEN(CUDAHOST_SITE);
  *stream = reinterpret_cast<cudaStream_t>(new_stream(!(flags & cudaStreamNonBlocking)));
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) { return cudaStreamCreateWithFlags(stream, flags); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  Stream* stream = handle ? stream_of(handle) : nullptr;
  if (!stream) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaStreamDestroy");
  stream->alive = false;  // what is in it still happens
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaStreamSynchronize");
  RETURN_IF(synchronizing_call(stream), CUDAHOST_SITE, "cudaStreamSynchronize");
  wait_for_stream(*stream);
  return synchronized(CUDAHOST_SITE, "cudaStreamSynchronize");
}
// A query may say "not ready" once; asked again, the work has happened.
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaStreamQuery");
  RETURN_IF(synchronizing_call(stream), CUDAHOST_SITE, "cudaStreamQuery");
  bool ready = stream->operations.empty() || stream->operations.back()->done;
  wait_for_stream(*stream);
  return ready ? synchronized(CUDAHOST_SITE, "cudaStreamQuery") : cudaErrorNotReady;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
  Stream* stream = stream_of(handle);
  Event* event = event_of(event_handle);
  if (!stream || !event) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaStreamWaitEvent");
  RETURN_IF(admit(*stream), CUDAHOST_SITE, "cudaStreamWaitEvent");
  if (event->operation && (stream->capture || event->operation->graph))
    RETURN_IF(wait_in_capture(*stream, *event->operation), CUDAHOST_SITE, "cudaStreamWaitEvent");
  Operation& operation = issue(*stream, {"cudaStreamWaitEvent", CUDAHOST_SITE});
  add_dependency(operation, event->operation);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, void (*function)(void*), void* data) {
  Stream* stream = stream_of(handle);
  if (!stream) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaLaunchHostFunc");
  RETURN_IF(admit(*stream), CUDAHOST_SITE, "cudaLaunchHostFunc");
  issue(*stream, {"cudaLaunchHostFunc", CUDAHOST_SITE, [=](Operation&) { function(data); }});
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  events.push_back({});
  events.back().timing = !(flags & cudaEventDisableTiming);
  *event = reinterpret_cast<cudaEvent_t>(&events.back());
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  Event* event = event_of(handle);
  if (!event) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaEventDestroy");
  event->alive = false;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  Site site = CUDAHOST_SITE;
  RETURN_IF_BROKEN(site);
  Stream* stream = stream_of(stream_handle);
  Event* event = event_of(handle);
  if (!stream || !event) return fail(cudaErrorInvalidResourceHandle, site, "cudaEventRecord");
  RETURN_IF(admit(*stream), site, "cudaEventRecord");
  event->operation = &issue(*stream, {"cudaEventRecord", site});
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  Event* event = event_of(handle);
  if (!event) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaEventSynchronize");
  RETURN_IF(captured(*event), CUDAHOST_SITE, "cudaEventSynchronize");
  wait_for(event->operation);
  return synchronized(CUDAHOST_SITE, "cudaEventSynchronize");
}
cudaError_t cudaEventQuery(cudaEvent_t handle) {
  Event* event = event_of(handle);
  if (!event) return fail(cudaErrorInvalidResourceHandle, CUDAHOST_SITE, "cudaEventQuery");
  RETURN_IF(captured(*event), CUDAHOST_SITE, "cudaEventQuery");
  RETURN_IF(unsafe_call(), CUDAHOST_SITE, "cudaEventQuery");
  bool ready = !event->operation || event->operation->done;
  wait_for(event->operation);
  return ready ? synchronized(CUDAHOST_SITE, "cudaEventQuery") : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t stop_handle) {
  Site site = CUDAHOST_SITE;
  Event *start = event_of(start_handle), *end = event_of(stop_handle);
  if (!start || !end || !start->operation || !end->operation || !start->timing || !end->timing)
    return fail(cudaErrorInvalidResourceHandle, site, "cudaEventElapsedTime");
  RETURN_IF(captured(*start), site, "cudaEventElapsedTime");
  RETURN_IF(captured(*end), site, "cudaEventElapsedTime");
  if (!start->operation->done || !end->operation->done) return fail(cudaErrorNotReady, site, "cudaEventElapsedTime");
  *milliseconds = __builtin_nanf("");
  note("no-time", site);
  return cudaSuccess;
}

// --- malloc and free of the program -----------------------------------------------------------------------------------

extern "C" void* cudahost_malloc(size_t bytes) {
  if (!current) return malloc(bytes);
  Allocation* it = new_allocation(bytes ? bytes : 1, Space::global, "", CUDAHOST_SITE);  // of the device's heap
  return it ? reinterpret_cast<void*>(it->begin) : nullptr;
}
static void free_in_arena(void* pointer, Site site, const char* call) {
  Allocation* it = allocation_of(Address(pointer));
  if (current && it && it->begin == Address(pointer) && !it->freed) return free_allocation(*it, site);
  Finding found(it && it->freed ? "double-free" : "invalid-free");
  found.space(it ? it->space : Space::global).at(site).text("call", call);
  if (it) found.object(*it, Address(pointer));
  if (it && it->freed) found.other(it->freed_at);
  found.report();
  if (!current) stop(134);
}
extern "C" void cudahost_free(void* pointer) {
  if (in_arena(Address(pointer))) free_in_arena(pointer, CUDAHOST_SITE, "free");
  else free(pointer);
}
#define CUDAHOST_NEW(symbol)                                                             \
  extern "C" void* cudahost_##symbol(size_t bytes) {                                     \
    if (!current) return ::operator new(bytes);                                          \
    Allocation* it = new_allocation(bytes ? bytes : 1, Space::global, "", CUDAHOST_SITE); \
    return it ? reinterpret_cast<void*>(it->begin) : nullptr;                            \
  }
#define CUDAHOST_DELETE(symbol)                                                          \
  extern "C" void cudahost_##symbol(void* pointer) {                                     \
    if (in_arena(Address(pointer))) free_in_arena(pointer, CUDAHOST_SITE, "delete");     \
    else ::operator delete(pointer);                                                     \
  }
CUDAHOST_NEW(_Znwm) CUDAHOST_NEW(_Znam)
CUDAHOST_DELETE(_ZdlPv) CUDAHOST_DELETE(_ZdlPvm) CUDAHOST_DELETE(_ZdaPv) CUDAHOST_DELETE(_ZdaPvm)
