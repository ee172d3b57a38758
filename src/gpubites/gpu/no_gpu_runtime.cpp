// A CUDA runtime without a GPU: kernels do not run. It writes down which ones are launched and with what shape, one line each,
// into the file named by LAUNCHES. Linked in place of the real one, so a program needs no change and no driver.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

struct dim3 {
  unsigned x, y, z;
};

static int last_error = 0;
constexpr int INVALID_CONFIGURATION = 9;

static std::map<const void*, std::string>& names() {
  static std::map<const void*, std::string> known;  // filled before main, so it is made when it is first asked for
  return known;
}

static dim3 pushed_grid, pushed_block;
static size_t pushed_shared;
static void* pushed_stream;

extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterVar() {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* device) { names()[host] = device; }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void* stream) {
  pushed_grid = grid, pushed_block = block, pushed_shared = shared, pushed_stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void** stream) {
  *grid = pushed_grid, *block = pushed_block, *shared = pushed_shared, *stream = pushed_stream;
  return 0;
}
int __cudaGetKernel(const void** kernel, const void* host) {
  *kernel = host;
  return 0;
}
int __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void**, size_t shared, void*) {
  size_t threads = size_t{block.x} * block.y * block.z;
  if (threads == 0 || threads > 1024 || size_t{grid.x} * grid.y * grid.z == 0) return last_error = INVALID_CONFIGURATION;
  const char* path = std::getenv("LAUNCHES");
  if (path == nullptr) return 0;
  std::FILE* file = std::fopen(path, "a");
  if (file == nullptr) std::abort();
  std::fprintf(file, "%s %u %u %u %u %u %u %zu\n", names()[kernel].c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared);
  std::fclose(file);
  return 0;
}

int cudaMalloc(void** pointer, size_t bytes) {
  *pointer = std::calloc(1, bytes);
  return 0;
}
int cudaMallocManaged(void** pointer, size_t bytes, unsigned) { return cudaMalloc(pointer, bytes); }
int cudaHostAlloc(void** pointer, size_t bytes, unsigned) { return cudaMalloc(pointer, bytes); }
int cudaMallocHost(void** pointer, size_t bytes) { return cudaMalloc(pointer, bytes); }
int cudaFree(void* pointer) {
  std::free(pointer);
  return 0;
}
int cudaFreeHost(void* pointer) { return cudaFree(pointer); }
int cudaMemcpy(void* to, const void* from, size_t bytes, int) {
  std::memcpy(to, from, bytes);
  return 0;
}
int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int, void*) { return cudaMemcpy(to, from, bytes, 0); }
int cudaMemset(void* to, int value, size_t bytes) {
  std::memset(to, value, bytes);
  return 0;
}
int cudaMemsetAsync(void* to, int value, size_t bytes, void*) { return cudaMemset(to, value, bytes); }
int cudaGetLastError() {
  int error = last_error;
  last_error = 0;
  return error;
}
int cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorString(int error) { return error == 0 ? "no error" : "invalid configuration argument"; }
const char* cudaGetErrorName(int error) { return error == 0 ? "cudaSuccess" : "cudaErrorInvalidConfiguration"; }
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, size_t, unsigned) {
  *blocks = 1;
  return 0;
}
int cudaEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0;
  return 0;
}

// Nothing to do where nothing runs. A call that is not here is missing when the program is linked.
#define DONE(name) \
  int name() { return 0; }
DONE(cudaDeviceSynchronize)
DONE(cudaStreamCreate)
DONE(cudaStreamCreateWithFlags)
DONE(cudaStreamDestroy)
DONE(cudaStreamSynchronize)
DONE(cudaStreamWaitEvent)
DONE(cudaStreamBeginCapture)
DONE(cudaStreamEndCapture)
DONE(cudaGraphInstantiate)
DONE(cudaGraphLaunch)
DONE(cudaGraphExecDestroy)
DONE(cudaGraphDestroy)
DONE(cudaEventCreate)
DONE(cudaEventCreateWithFlags)
DONE(cudaEventDestroy)
DONE(cudaEventRecord)
DONE(cudaEventSynchronize)
}
