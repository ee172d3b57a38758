// The part of the CUDA runtime API that programs need. Calls return what CUDA returns; nothing here measures time.
#pragma once
#include "language.h"

#define CUDART_VERSION 13000
#define CUDART_CB

enum [[nodiscard]] cudaError {  // so that the compiler tells where a result is thrown away
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorCudartUnloading = 4,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorMissingConfiguration = 52,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorIllegalState = 401,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorAssert = 710,
  cudaErrorHostMemoryAlreadyRegistered = 712,
  cudaErrorHostMemoryNotRegistered = 713,
  cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715,
  cudaErrorMisalignedAddress = 716,
  cudaErrorInvalidAddressSpace = 717,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorStreamCaptureUnsupported = 900,
  cudaErrorStreamCaptureInvalidated = 901,
  cudaErrorStreamCaptureMerge = 902,
  cudaErrorStreamCaptureUnmatched = 903,
  cudaErrorStreamCaptureUnjoined = 904,
  cudaErrorStreamCaptureIsolation = 905,
  cudaErrorStreamCaptureImplicit = 906,
  cudaErrorCapturedEvent = 907,
  cudaErrorUnknown = 999,
};
using cudaError_t = cudaError;

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2, cudaEventInterprocess = 4 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
enum { cudaDeviceScheduleAuto = 0, cudaDeviceMapHost = 8 };
enum { cudaOccupancyDefault = 0 };
#define cudaCpuDeviceId (-1)

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100, cudaSharedmemCarveoutMaxL1 = 0 };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ, cudaDevAttrMaxGridDimX,
  cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ, cudaDevAttrMaxSharedMemoryPerBlock, cudaDevAttrTotalConstantMemory, cudaDevAttrWarpSize,
  cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76, cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82, cudaDevAttrManagedMemory = 83, cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
};

// What the host run answers to questions about "the device": the limits of compute capability 9.0.
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
  int asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, concurrentManagedAccess, pageableMemoryAccess, cooperativeLaunch;
  size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
  int maxBlocksPerMultiProcessor;
};
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};

namespace cudahost {
cudaError_t allocate(void** pointer, size_t bytes, Space space);
cudaError_t release(void* pointer, Space space);
cudaError_t copy_symbol(void* variable, size_t size, void* other, size_t bytes, size_t offset, cudaMemcpyKind kind, bool to_symbol, cudaStream_t stream, bool async);
cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t occupancy(int* blocks, const void* kernel, int block_size, size_t dynamic_shared);
cudaError_t prefetch(const void* pointer, size_t bytes);
}  // namespace cudahost

const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

CUDAHOST_CALL cudaError_t cudaMalloc(void** pointer, size_t bytes) { return cudahost::allocate(pointer, bytes, cudahost::Space::global); }
template <class T>
CUDAHOST_CALL cudaError_t cudaMalloc(T** pointer, size_t bytes) { return cudahost::allocate((void**)pointer, bytes, cudahost::Space::global); }
template <class T>
CUDAHOST_CALL cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal) { return cudahost::allocate((void**)pointer, bytes, cudahost::Space::managed); }
template <class T>
CUDAHOST_CALL cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0) { return cudahost::allocate((void**)pointer, bytes, cudahost::Space::pinned); }
template <class T>
CUDAHOST_CALL cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned) { return cudahost::allocate((void**)pointer, bytes, cudahost::Space::pinned); }
CUDAHOST_CALL cudaError_t cudaFree(void* pointer) { return cudahost::release(pointer, cudahost::Space::global); }
CUDAHOST_CALL cudaError_t cudaFreeHost(void* pointer) { return cudahost::release(pointer, cudahost::Space::pinned); }
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
template <class T>
CUDAHOST_CALL cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) { return cudaHostGetDevicePointer((void**)device, host, flags); }
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
template <class T>
CUDAHOST_CALL cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) { return cudaMallocPitch((void**)pointer, pitch, width, height); }
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
template <class T>
CUDAHOST_CALL cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) { return cudaMallocAsync((void**)pointer, bytes, stream); }
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
template <class T>
CUDAHOST_CALL cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudahost::copy_symbol((void*)&symbol, sizeof symbol, (void*)from, bytes, offset, kind, true, nullptr, false);
}
template <class T>
CUDAHOST_CALL cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudahost::copy_symbol((void*)&symbol, sizeof symbol, to, bytes, offset, kind, false, nullptr, false);
}
template <class T>
CUDAHOST_CALL cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudahost::copy_symbol((void*)&symbol, sizeof symbol, (void*)from, bytes, offset, kind, true, stream, true);
}
template <class T>
CUDAHOST_CALL cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudahost::copy_symbol((void*)&symbol, sizeof symbol, to, bytes, offset, kind, false, stream, true);
}
template <class P, class T>
CUDAHOST_CALL cudaError_t cudaGetSymbolAddress(P** pointer, const T& symbol) { *pointer = (P*)&symbol; return cudaSuccess; }
template <class T>
CUDAHOST_CALL cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) { *bytes = sizeof symbol; return cudaSuccess; }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
template <class... Rest>
CUDAHOST_CALL cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, Rest...) { return cudahost::prefetch(pointer, bytes); }
template <class... Rest>
CUDAHOST_CALL cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, Rest...) { return cudahost::prefetch(pointer, bytes); }
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* data);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);  // not a number: a CPU run has no GPU time

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log, size_t log_bytes);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

template <class F>
CUDAHOST_CALL cudaError_t cudaFuncSetAttribute(F* kernel, cudaFuncAttribute attribute, int value) { return cudahost::set_attribute((const void*)kernel, attribute, value); }
template <class F>
CUDAHOST_CALL cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) { return cudaSuccess; }
template <class F>
CUDAHOST_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F* kernel, int block_size, size_t dynamic_shared) {
  return cudahost::occupancy(blocks, (const void*)kernel, block_size, dynamic_shared);
}
template <class F>
CUDAHOST_CALL cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F* kernel, int block_size, size_t dynamic_shared, unsigned) {
  return cudahost::occupancy(blocks, (const void*)kernel, block_size, dynamic_shared);
}
// The largest block with which the most threads are resident.
template <class Size, class F>
CUDAHOST_CALL cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F* kernel, Size dynamic_shared_of, int limit = 0) {
  int most = 0, blocks = 0;
  for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0; size = (size - 1) / 32 * 32) {
    if (cudaError_t error = cudahost::occupancy(&blocks, (const void*)kernel, size, dynamic_shared_of(size))) return error;
    if (blocks * size <= most) continue;
    most = blocks * size;
    *block = size;
    *grid = blocks * 132;
  }
  return cudaSuccess;
}
template <class F>
CUDAHOST_CALL cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F* kernel, size_t dynamic_shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return dynamic_shared; }, limit);
}
