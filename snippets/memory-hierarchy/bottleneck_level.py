"""Which level of the memory hierarchy limits a kernel, from its hit rates (H100 PCIe, measured)."""

L1_BANDWIDTH = 25200  # fact: h100-pcie-measured-l1-bw
L2_BANDWIDTH = 6900  # fact: h100-pcie-measured-l2-bw
MEMORY_BANDWIDTH = 1988  # fact: h100-pcie-measured-mem-bw
L1_LATENCY = 34.2  # fact: h100-pcie-measured-l1-latency
L2_LATENCY = 265.4  # fact: h100-pcie-measured-l2-latency
MEMORY_LATENCY = 650  # fact: h100-pcie-measured-mem-latency

# --8<-- [start:kernels]
kernels = {  # name: (share of bytes that hit L1, of the rest that hit L2)
    "stream": (0.0, 0.0),
    "stencil": (0.6, 0.2),
    "weights for all": (0.0, 0.9),
    "half and half": (0.5, 0.5),
    "small tile": (0.75, 0.8),
    "large tile": (0.95, 0.8),
}


def share_of_bytes(l1_hits, l2_hits):
    """Of every byte that threads ask for: how much each level moves."""
    past_l1 = 1 - l1_hits
    past_l2 = past_l1 * (1 - l2_hits)
    return {"L1": 1, "L2": past_l1, "memory": past_l2}


# --8<-- [end:kernels]

BANDWIDTH = {"L1": L1_BANDWIDTH, "L2": L2_BANDWIDTH, "memory": MEMORY_BANDWIDTH}


def allowed(level, share):
    """TB/s that the threads can ask for before this level is full."""
    return BANDWIDTH[level] / share / 1000 if share > 1e-9 else float("inf")


def average_latency(l1_hits, l2_hits):
    past_l1 = l2_hits * L2_LATENCY + (1 - l2_hits) * MEMORY_LATENCY
    return l1_hits * L1_LATENCY + (1 - l1_hits) * past_l1


print("                TB/s each level allows")
print("kernel           L1    L2  memory  limit   latency")
for name, hits in kernels.items():
    rates = {level: allowed(level, share) for level, share in share_of_bytes(*hits).items()}
    limit = min(rates, key=rates.get)
    l1, l2, memory = rates.values()
    cycles = average_latency(*hits)
    print(f"{name:15} {l1:5.1f} {l2:5.1f} {memory:6.1f}  {limit:6} {cycles:5.0f} cycles")
