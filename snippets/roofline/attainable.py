"""The most FLOP/s a kernel can reach: the lesser of peak and intensity times bandwidth."""

GPUS = {
    "A100 80GB": {
        "tensor": 312,  # fact: a100-80-sxm-bf16-dense
        "vector": 19.5,  # fact: a100-80-sxm-fp32
        "memory": 2039,  # fact: a100-80-sxm-mem-bw
    },
    "H100 SXM": {
        "tensor": 989.4,  # fact: h100-sxm-bf16-dense
        "vector": 67,  # fact: h100-sxm-fp32
        "memory": 3350,  # fact: h100-sxm-mem-bw
    },
    "H200 SXM": {
        "tensor": 989.4,  # fact: h200-bf16-dense
        "vector": 67,  # fact: h200-fp32
        "memory": 4800,  # fact: h200-mem-bw
    },
}


def gemm(m, n, k, size=2):
    """FLOP per byte of C = A B when each matrix moves once; size is bytes per element."""
    return 2 * m * n * k / (size * (m * k + k * n + m * n))


# --8<-- [start:roof]
def attainable(intensity, peak, memory):
    """TFLOP/s, from FLOP/byte, TFLOP/s and GB/s."""
    return min(peak, intensity * memory / 1000)


gpu = "H100 SXM"
kernels = {  # name: (FLOP per byte, which units do the arithmetic)
    "SAXPY, FP32": (2 / 12, "vector"),
    "GEMV 4096, BF16": (gemm(4096, 1, 4096), "tensor"),
    "linear, batch 64": (gemm(4096, 64, 4096), "tensor"),
    "linear, batch 256": (gemm(4096, 256, 4096), "tensor"),
    "GEMM 512, BF16": (gemm(512, 512, 512), "tensor"),
    "GEMM 1024, BF16": (gemm(1024, 1024, 1024), "tensor"),
    "GEMM 4096, BF16": (gemm(4096, 4096, 4096), "tensor"),
}
# --8<-- [end:roof]

print("ridge, FLOP/byte   BF16 dense  FP32")
for name, rates in GPUS.items():
    dense = 1000 * rates["tensor"] / rates["memory"]
    plain = 1000 * rates["vector"] / rates["memory"]
    print(f"{name:17} {dense:11.0f} {plain:5.1f}")

print(f"\n{gpu:17} FLOP/byte  TFLOP/s  of peak  limit")
for name, (intensity, units) in kernels.items():
    peak, memory = GPUS[gpu][units], GPUS[gpu]["memory"]
    roof = attainable(intensity, peak, memory)
    limit = "arithmetic" if roof == peak else "bytes"
    print(f"{name:17} {intensity:9.2f} {roof:8.2f} {roof / peak:8.1%}  {limit}")
