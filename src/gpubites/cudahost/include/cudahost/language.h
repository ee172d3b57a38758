// The words of CUDA C++ that a C++ compiler does not know: qualifiers, built-in variables, `k<<<…>>>(…)`, `__shared__`.
// rewrite.py has turned launches and device variables into calls of what stands here; the bodies of kernels are untouched.
#pragma once
#include <algorithm>
#include <cassert>
#include <cmath>
#include <math.h>
#include <stdlib.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

#define __CUDACC__ 1
#define __NVCC__ 1
#define __GPUBITES_CUDAHOST__ 1
// g++ instruments no load or store that a call makes for a struct it takes or returns by value. What a kernel calls is put into it.
#ifdef __clang__
#define __global__
#else
#define __global__ __attribute__((flatten))
#endif
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __restrict__ __restrict
#define __align__(n) alignas(n)
#define __builtin_align__(n) alignas(n)

// What belongs to the host itself is never instrumented, and always inlined where a message needs the line of the caller.
#define CUDAHOST_CALL inline __attribute__((always_inline))
#define CUDAHOST_PLAIN __attribute__((no_sanitize("thread"), noinline))

#include "vector_types.h"

namespace cudahost {

// --- where a thread is ------------------------------------------------------------------------------------------------
// Constant within one thread's run of a kernel, so the compiler may keep them in registers.
__attribute__((const)) uint3 thread_index();
__attribute__((const)) uint3 block_index();
__attribute__((const)) dim3 block_dimensions();
__attribute__((const)) dim3 grid_dimensions();

// --- variables in device memory ---------------------------------------------------------------------------------------
enum class Space : unsigned char { none, global, shared, constant, managed, pinned, local, host };

void* shared_variable(const void* key, const char* name, size_t bytes);  // of the block that asks, made when first asked
void* dynamic_shared();
void* device_variable(const char* name, Space space, size_t bytes, const void* initial);

// `__shared__ float tile[32][33];` has become `auto& tile = shared<float[32][33], tag_1>("tile");`. The tag is a local class,
// so each instantiation of a template has its own variable.
template <class Variable, class Tag>
CUDAHOST_CALL Variable& shared(const char* name) {
  using Element = std::remove_all_extents_t<Variable>;
  static_assert(std::is_trivially_default_constructible_v<Element>, "CUDA allows no constructor that does something in __shared__ memory");
  static const char key = 0;
  return *static_cast<Variable*>(shared_variable(&key, name, sizeof(Variable)));
}

template <class Variable>
Variable& variable(const char* name, Space space) {
  return *static_cast<Variable*>(device_variable(name, space, sizeof(Variable), nullptr));
}
template <class Variable>
Variable& variable(const char* name, Space space, const std::remove_cv_t<Variable>& initial) {
  return *static_cast<Variable*>(device_variable(name, space, sizeof(Variable), &initial));
}
// `__constant__ int table[] = {1, 2, 3};`: the initializer says how many.
template <class Element, size_t N>
auto variable_of(const char* name, Space space, const Element (&initial)[N]) -> Element (&)[N] {
  return *static_cast<Element(*)[N]>(device_variable(name, space, sizeof initial, &initial));
}

void entered();  // the arguments are there: from here on it is the kernel that runs

// `return;` of a kernel: a thread that leaves early no longer counts at a barrier, one that goes around it does.
void early_return();

// Accesses of this thread that stand for something the hardware does otherwise: checked, but not counted.
void pause_trace(bool paused);
struct Untraced {
  CUDAHOST_CALL Untraced() { pause_trace(true); }
  CUDAHOST_CALL ~Untraced() { pause_trace(false); }
};

// --- launches ---------------------------------------------------------------------------------------------------------
using Body = void (*)(const void* closure);
void enqueue(const char* kernel, const void* key, dim3 grid, dim3 block, size_t shared_bytes, void* stream, Body body, void (*destroy)(void*),
             void* closure);

// The arguments of a launch, copied when it is launched and once more into every thread, as on a GPU.
template <size_t, class Argument>
struct Held {
  Argument value;
};
template <class Indices, class... Arguments>
struct HeldAll;
template <size_t... I, class... Arguments>
struct HeldAll<std::index_sequence<I...>, Arguments...> : Held<I, Arguments>... {
  HeldAll(const Arguments&... arguments) : Held<I, Arguments>{arguments}... {}
  template <class Function>
  CUDAHOST_PLAIN void call(const Function& function) const {
    Function mine = function;
    mine(static_cast<const Held<I, Arguments>&>(*this).value...);
  }
};

template <class Function, class... Arguments>
struct Launched {
  Function function;
  HeldAll<std::index_sequence_for<Arguments...>, Arguments...> arguments;
  CUDAHOST_PLAIN static void run(const void* closure) {
    auto* self = static_cast<const Launched*>(closure);
    self->arguments.call(self->function);
  }
  static void destroy(void* closure) { delete static_cast<Launched*>(closure); }
};

struct Configuration {
  const char* name;
  const void* key;
  dim3 grid, block;
  size_t shared_bytes;
  void* stream;
  template <class... Parameters, class Function>
  CUDAHOST_CALL void launch(const Function& function, const Parameters&... arguments) const {
    using Whole = Launched<Function, Parameters...>;
    enqueue(name, key, grid, block, shared_bytes, stream, &Whole::run, &Whole::destroy, new Whole{function, {arguments...}});
  }
};

// Waits for the arguments. Where it is known which function the kernel is, they convert to its parameters as in any call, and the
// last ones may be left to their defaults.
template <class Function, class Given, class Rest>
struct Configured : Configuration {
  Function function;
  Configured(const Configuration& configuration, const Function& function) : Configuration(configuration), function(function) {}
  template <class... Arguments>
  CUDAHOST_CALL void operator()(Arguments... arguments) const { launch<Arguments...>(function, arguments...); }
};
template <class Function, class... Given>
struct Configured<Function, void(Given...), void()> : Configuration {
  Function function;
  Configured(const Configuration& configuration, const Function& function) : Configuration(configuration), function(function) {}
  CUDAHOST_CALL void operator()(Given... arguments) const { launch<Given...>(function, arguments...); }
};
template <class Function, class... Given, class Next, class... Rest>
struct Configured<Function, void(Given...), void(Next, Rest...)> : Configured<Function, void(Given..., Next), void(Rest...)> {
  using More = Configured<Function, void(Given..., Next), void(Rest...)>;
  using More::More;
  using More::operator();
  CUDAHOST_CALL void operator()(Given... arguments) const { this->template launch<Given...>(this->function, arguments...); }
};

// `k<<<grid, block>>>(x)` has become `Kernel("k", k, …).on(grid, block)(x)`, with nullptr for a name that several functions have.
template <class Function, class Signature>
struct Kernel {
  const char* name;
  const void* key;
  Function function;
  template <class Address>
  Kernel(const char* name, Address address, Function function) : name(name), key((const void*)address), function(function) {}
  CUDAHOST_CALL Configured<Function, void(), Signature> on(dim3 grid, dim3 block, size_t shared_bytes = 0, void* stream = nullptr) const {
    return {{name, key, grid, block, shared_bytes, stream}, function};
  }
};
template <class Function, class... Parameters>
Kernel(const char*, void (*)(Parameters...), Function) -> Kernel<Function, void(Parameters...)>;
template <class Function>
Kernel(const char*, std::nullptr_t, Function) -> Kernel<Function, std::nullptr_t>;

}  // namespace cudahost

#define threadIdx (cudahost::thread_index())
#define blockIdx (cudahost::block_index())
#define blockDim (cudahost::block_dimensions())
#define gridDim (cudahost::grid_dimensions())
constexpr int warpSize = 32;
