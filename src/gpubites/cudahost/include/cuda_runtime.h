// CUDA C++ on the CPU. Every .cu file is compiled with this header first, as nvcc does with its own.
#pragma once
#include "cudahost/language.h"
#include "cudahost/atomics.h"
#include "cudahost/intrinsics.h"
#include "cudahost/runtime_api.h"
#include "cudahost/synchronization.h"
