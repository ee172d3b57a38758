"""What the host does not run, refused by name and line before anything is compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpubites.cudahost.tokens import tokenize

GPU_ONLY = "it compiles with nvcc and runs on a GPU, but the CPU host does not know it"

# What opens a line of `#include`: the libraries and headers that the host lacks.
_HEADERS: tuple[tuple[str, str], ...] = (
    (r"cub/", "CUB"),
    (r"thrust/", "Thrust"),
    (r"cublas", "cuBLAS"),
    (r"cudnn", "cuDNN"),
    (r"cufft", "cuFFT"),
    (r"curand", "cuRAND"),
    (r"cusparse", "cuSPARSE"),
    (r"cusolver", "cuSOLVER"),
    (r"cutlass/|cute/", "CUTLASS"),
    (r"nccl", "NCCL"),
    (r"nvtx|nvToolsExt", "NVTX"),
    (r"cuda/|cuda/std/|nv/", "libcu++"),
    (r"cuda\.h$|cudaProfiler|nvrtc", "the driver API"),
    (r"cuda_fp8|cuda_fp6|cuda_fp4", "fp8, fp6 and fp4 types"),
    (r"texture_|surface_|cuda_texture", "textures and surfaces"),
)

# A name in the code → what it belongs to.
_NAMES: tuple[tuple[str, str], ...] = (
    (r"asm|__asm__|__asm", "inline PTX"),
    (r"texture|tex1D\w*|tex2D\w*|tex3D\w*|texCubemap\w*|cudaTextureObject_t|cudaCreateTextureObject|cudaBindTexture\w*", "textures"),
    (r"surf[123]D\w*|cudaSurfaceObject_t|cudaCreateSurfaceObject", "surfaces"),
    (r"cudaMalloc3D\w*|cudaMallocArray|cudaMemcpy3D\w*|cudaMemcpy\w*Array\w*|cudaArray_t|cudaExtent", "CUDA arrays and 3D copies"),
    (r"__cluster_dims__|this_cluster|cluster_group|cudaLaunchKernelEx\w*|clusterIdx|clusterDim", "thread block clusters"),
    (r"this_grid|grid_group|this_multi_grid|cudaLaunchCooperativeKernel\w*", "grid-wide synchronization"),
    (r"wgmma\w*|tcgen05\w*|cuTensorMap\w*|CUtensorMap", "wgmma, tcgen05 and TMA"),
    (r"cudaLaunchKernel|cudaLaunchKernelExC", "cudaLaunchKernel (use `<<<…>>>`)"),
    (r"cub|thrust", "CUB and Thrust"),
    (r"cublas[A-Z]\w*|cudnn[A-Z]\w*|cufft[A-Z]\w*|curand\w*|cusparse[A-Z]\w*|nccl[A-Z]\w*", "a CUDA library"),
    (r"cu(?:Init|Ctx|Module|Launch|Mem|Device|Func|Stream|Event|Link)[A-Z]\w*", "the driver API"),
    (r"clock|clock64|globaltimer|__globaltimer", "device clocks: a CPU run has no GPU time"),
    (r"__CUDA_ARCH__|__CUDA_ARCH_LIST__", "code that depends on `__CUDA_ARCH__`: host and device code are one compilation here"),
    (r"cudaIpc\w*|cudaDeviceEnablePeerAccess|cudaMemcpyPeer\w*|cudaDeviceCanAccessPeer", "several devices"),
    (r"cudaFuncGetAttributes|cudaFuncAttributes", "what nvcc makes of a kernel"),
    (r"cudaMemPool\w*|cudaMallocFromPoolAsync|cudaDeviceGetDefaultMemPool", "memory pools"),
    (r"cudaHostRegister|cudaHostUnregister", "cudaHostRegister (allocate with cudaMallocHost)"),
    (
        # All but these, which are the whole of stream capture.
        r"cudaGraph(?!(?:_t|Exec_t|Node_t|Instantiate|InstantiateWithFlags|Upload|Launch|Clone|GetNodes|ExecDestroy|Destroy)\Z)\w*"
        r"|cudaStreamBeginCaptureToGraph|cudaStreamGetCaptureInfo\w*|cudaStreamUpdateCaptureDependencies\w*|cudaThreadExchangeStreamCaptureMode"
        r"|cudaEventRecordWithFlags",
        "CUDA graphs are covered as stream capture makes them",
    ),
    (r"__cvta_generic_to_shared|__cvta_generic_to_global", "addresses for inline PTX"),
    (r"__prof_trigger|__brkpt", "debugger and profiler triggers"),
    (r"__shfl|__shfl_up|__shfl_down|__shfl_xor|__any|__all|__ballot", "warp functions without `_sync`, which CUDA removed"),
    (r"__vadd\w+|__vsub\w+|__vabs\w+|__vmax\w+|__vmin\w+|__vcmp\w+|__vset\w+|__vavg\w+", "SIMD-in-a-word intrinsics"),
)
_HEADER = re.compile(r"#\s*include\s*[<\"]([^>\"]+)[>\"]")
_HEADERS_ONE = [(re.compile(pattern), what) for pattern, what in _HEADERS]
_NAMES_ONE = [(re.compile(rf"(?:{pattern})\Z"), what) for pattern, what in _NAMES]


@dataclass(frozen=True)
class Refusal:
    """One thing the host does not run."""

    line: int
    name: str
    what: str

    def __str__(self) -> str:
        return f"`{self.name}` is not covered by the host run ({self.what}): {GPU_ONLY}"


def refusals(source: str) -> list[Refusal]:
    """Every use of something uncovered, in the order of the lines."""
    found: list[Refusal] = []
    tokens = [token for token in tokenize(source) if token.is_code]
    for i, token in enumerate(tokens):
        if token.kind == "directive" and (include := _HEADER.search(token.text)):
            found += [Refusal(token.line, include[1], what) for pattern, what in _HEADERS_ONE if pattern.match(include[1])][:1]
        if token.kind != "name" or (i and tokens[i - 1].text in (".", "->")):
            continue
        for pattern, what in _NAMES_ONE:
            if pattern.match(token.text) and _is_used_so(token.text, tokens[i + 1].text if i + 1 < len(tokens) else "", tokens[i - 1].text):
                found.append(Refusal(token.line, token.text, what))
                break
    return found


def _is_used_so(name: str, following: str, before: str) -> bool:
    """Names that programs also use for things of their own count only in the form that CUDA gives them."""
    if name in ("cub", "thrust"):
        return following == "::"
    if name in ("clock", "clock64"):
        return following == "(" and before not in ("::",)
    if name == "texture":
        return following == "<"
    if name in ("asm", "__asm", "__asm__"):
        return following in ("(", "volatile", "__volatile__")
    return True
