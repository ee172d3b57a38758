// cp.async through its primitives: `__pipeline_memcpy_async`, `__pipeline_commit`, `__pipeline_wait_prior`.
//
// A copy lands when the thread waits for it, not before: reading its target earlier reads what was there.
#pragma once
#include "cuda_runtime.h"

namespace cudahost {
void pipeline_copy(void* to, const void* from, size_t bytes, size_t zeros);
void pipeline_commit();
void pipeline_wait(size_t prior);
}  // namespace cudahost

CUDAHOST_CALL void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) { cudahost::pipeline_copy(to, from, bytes, zeros); }
CUDAHOST_CALL void __pipeline_commit() { cudahost::pipeline_commit(); }
CUDAHOST_CALL void __pipeline_wait_prior(size_t prior) { cudahost::pipeline_wait(prior); }
