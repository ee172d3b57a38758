"""When does an n x n x n matrix product in BF16 finish sooner on the GPU, copies and launch included?"""

CPU_TFLOPS = 56 * 1024 * 2.9 / 1000  # one socket, AMX, all-core turbo
CPU_GBS = 8 * 8 * 4.8  # DDR5
GPU_TFLOPS = 989.4  # fact: h100-sxm-bf16-dense
GPU_GBS = 3350  # fact: h100-sxm-mem-bw
LINK_GBS = 63  # fact: pcie5-x16-payload

# --8<-- [start:model]
BYTES = 2  # per element
LAUNCH_US = 5.0  # one kernel launch (assumed)
CPU_SHARE = 1.0  # of the peak that your code reaches; try 0.4
GPU_SHARE = 1.0
PRODUCTS = 1  # products done for every round trip of the data


def roof_us(n, tflops, gbs):
    """The slower of arithmetic and memory for one product, in microseconds."""
    return max(2 * n**3 / tflops / 1e6, 3 * n * n * BYTES / gbs / 1e3)


def times(n):
    """CPU, GPU with data already there, GPU with copies; microseconds per product."""
    cpu = roof_us(n, CPU_TFLOPS, CPU_GBS) / CPU_SHARE
    gpu = LAUNCH_US + roof_us(n, GPU_TFLOPS, GPU_GBS) / GPU_SHARE
    copies = 3 * n * n * BYTES / LINK_GBS / 1e3
    return cpu, gpu, gpu + copies / PRODUCTS
# --8<-- [end:model]


print("     n      CPU us  GPU resident  with copies")
for n in (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384):
    print("{:6,} {:11,.1f} {:13,.1f} {:12,.1f}".format(n, *times(n)))

print()
for label, column in [("data already there", 1), ("data copied", 2)]:
    first = next((n for n in range(16, 40_000, 16) if times(n)[column] < times(n)[0]), None)
    print(f"{label}: the GPU wins from n = {first}")
