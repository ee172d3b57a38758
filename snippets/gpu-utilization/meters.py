"""What four utilization meters show for the same second of GPU time."""

SMS = 132  # fact: h100-sxm-sm-count

# --8<-- [start:workloads]
# name: (kernel in us, gap in us, blocks, tensor share, DRAM share)
# The shares hold while the kernel runs: of its own SMs, of all DRAM.
WORKLOADS = {
    "one block, forever": (10_000, 0, 1, 0.0, 0.002),
    "16 blocks a launch": (2_000, 0, 16, 0.0, 0.08),
    "small kernels, gaps": (20, 30, 132, 0.1, 0.2),
    "GEMMs, slow loader": (30_000, 70_000, 132, 0.7, 0.3),
    "waits in all-reduce": (500_000, 0, 16, 0.0, 0.01),
    "decode, batch 1": (1_000, 0, 132, 0.03, 0.8),
    "GEMMs, no gap": (30_000, 0, 132, 0.7, 0.3),
}
# --8<-- [end:workloads]


def meters(kernel, gap, blocks, tensor, dram, window=1_000_000):
    """Per cent of one second: any kernel, SMs with a block, Tensor Cores, DRAM."""
    full, rest = divmod(window, kernel + gap)
    running = (full * kernel + min(rest, kernel)) / window
    sms = running * min(blocks, SMS) / SMS  # a block occupies one SM
    return 100 * running, 100 * sms, 100 * sms * tensor, 100 * running * dram


print(f"{'per cent of one second':22}{'GPU':>5}{'SM':>7}{'tensor':>8}{'DRAM':>7}")
for name, workload in WORKLOADS.items():
    gpu, sm, tensor, dram = meters(*workload)
    print(f"{name:22}{gpu:5.0f}{sm:7.1f}{tensor:8.1f}{dram:7.1f}")
