// Takes the time of every kernel of a program that knows nothing of it. Linked in with --wrap, it stands between the program and
// the CUDA runtime; where GPU_TIMES names no file, every call goes straight through.
//
// The first launch of a kernel with a shape is measured: what lies in device memory is kept, the kernel runs, and then again
// WARM_UPS + REPEATS times, each time from the kept memory, with L2 overwritten and an event on either side. At last memory is put
// back and the launch that the program asked for is made. A launch into a stream of the program's own is not measured (it may be
// captured, or overlap), nor is one whose program uses managed memory, which the copies would move.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

constexpr int WARM_UPS = 3;
constexpr int REPEATS = 31;
constexpr size_t SMALLEST_FLUSH = size_t{64} << 20;

extern "C" {
void __real___cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
cudaError_t __real___cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaMalloc(void**, size_t);
cudaError_t __real_cudaMallocManaged(void**, size_t, unsigned);
cudaError_t __real_cudaFree(void*);
}

namespace {

struct State {
  const char* times = std::getenv("GPU_TIMES");
  std::map<const void*, std::string> names;      // host address of a kernel → its mangled name
  std::map<cudaKernel_t, std::string> kernels;   // handle → the same
  std::map<void*, size_t> allocations;
  std::set<std::string> seen;
  bool managed = false;
};

State& state() {
  static State only;  // kernels are registered before main: made when it is first asked for
  return only;
}

void must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "measure: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

// A copy of everything in device memory.
class Kept {
 public:
  Kept() {
    for (auto [address, bytes] : state().allocations) {
      void* copy = nullptr;
      must(__real_cudaMalloc(&copy, bytes), "no memory to keep a copy");
      must(cudaMemcpy(copy, address, bytes, cudaMemcpyDeviceToDevice), "copy");
      copies_.push_back({address, copy, bytes});
    }
  }
  ~Kept() {
    for (const Copy& copy : copies_) __real_cudaFree(copy.kept);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  void put_back() const {
    for (const Copy& copy : copies_)
      must(cudaMemcpy(copy.address, copy.kept, copy.bytes, cudaMemcpyDeviceToDevice), "put back");
  }

 private:
  struct Copy {
    void *address, *kept;
    size_t bytes;
  };
  std::vector<Copy> copies_;
};

// A buffer larger than L2: writing it pushes out what a kernel left there.
class Flush {
 public:
  Flush() {
    int l2 = 0;
    must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "L2 size");
    bytes_ = 2 * static_cast<size_t>(l2) > SMALLEST_FLUSH ? 2 * static_cast<size_t>(l2) : SMALLEST_FLUSH;
    must(__real_cudaMalloc(&buffer_, bytes_), "no memory to flush L2 with");
  }
  ~Flush() { __real_cudaFree(buffer_); }
  Flush(const Flush&) = delete;
  Flush& operator=(const Flush&) = delete;
  void run(int value) const { must(cudaMemset(buffer_, value, bytes_), "flush"); }

 private:
  void* buffer_ = nullptr;
  size_t bytes_ = 0;
};

void write_line(const std::string& kernel, dim3 grid, dim3 block, size_t shared, const std::vector<float>& milliseconds) {
  std::FILE* file = std::fopen(state().times, "a");
  if (file == nullptr) std::exit(3);
  std::fprintf(file, "{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"dynamic\": %zu, \"warm_ups\": %d, \"microseconds\": [",
               kernel.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, WARM_UPS);
  for (size_t i = 0; i < milliseconds.size(); ++i) std::fprintf(file, "%s%.3f", i ? ", " : "", milliseconds[i] * 1000);
  std::fprintf(file, "]}\n");
  std::fclose(file);
}

}  // namespace

extern "C" {

void __wrap___cudaRegisterFunction(void** module, const char* host, char* stub, const char* device, int limit, uint3* tid,
                                   uint3* bid, dim3* block, dim3* grid, int* size) {
  state().names[host] = device;
  __real___cudaRegisterFunction(module, host, stub, device, limit, tid, bid, block, grid, size);
}

cudaError_t __wrap___cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  cudaError_t error = __real___cudaGetKernel(kernel, host);
  if (error == cudaSuccess) state().kernels[*kernel] = state().names[host];
  return error;
}

cudaError_t __wrap_cudaMalloc(void** address, size_t bytes) {
  cudaError_t error = __real_cudaMalloc(address, bytes);
  if (error == cudaSuccess && bytes > 0) state().allocations[*address] = bytes;
  return error;
}

cudaError_t __wrap_cudaMallocManaged(void** address, size_t bytes, unsigned flags) {
  state().managed = true;
  return __real_cudaMallocManaged(address, bytes, flags);
}

cudaError_t __wrap_cudaFree(void* address) {
  state().allocations.erase(address);
  return __real_cudaFree(address);
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                      cudaStream_t stream) {
  auto launch = [&] { return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); };
  const std::string& name = state().kernels[kernel];
  std::string shape = name + " " + std::to_string(grid.x) + " " + std::to_string(grid.y) + " " + std::to_string(grid.z) + " " +
                      std::to_string(block.x) + " " + std::to_string(block.y) + " " + std::to_string(block.z);
  if (state().times == nullptr || stream != nullptr || state().managed || state().seen.count(shape)) return launch();

  must(cudaDeviceSynchronize(), "before the launch");
  Kept kept;
  cudaError_t error = launch();
  // The program asks for errors itself, and shall find what it would have found.
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return error;
  state().seen.insert(shape);

  Flush flush;
  cudaEvent_t start, stop;
  must(cudaEventCreate(&start), "event");
  must(cudaEventCreate(&stop), "event");
  std::vector<float> milliseconds;
  for (int run = 0; run < WARM_UPS + REPEATS; ++run) {
    kept.put_back();
    flush.run(run);
    must(cudaEventRecord(start, nullptr), "event");
    must(launch(), "launch again");
    must(cudaEventRecord(stop, nullptr), "event");
    must(cudaEventSynchronize(stop), "run again");
    float time = 0;
    must(cudaEventElapsedTime(&time, start, stop), "time");
    if (run >= WARM_UPS) milliseconds.push_back(time);
  }
  must(cudaEventDestroy(start), "event");
  must(cudaEventDestroy(stop), "event");
  write_line(name, grid, block, shared, milliseconds);

  kept.put_back();
  return launch();
}
}
