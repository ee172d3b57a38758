"""A ring all-reduce, simulated chunk by chunk, then timed from link rates."""

# --8<-- [start:ring]
GPUS = 8
buffers = [[rank * 100 + i for i in range(4 * GPUS)] for rank in range(GPUS)]
expected = [sum(column) for column in zip(*buffers)]


def ring_all_reduce(buffers):
    """Reduces in place; returns how many elements each rank sent."""
    n, chunk = len(buffers), len(buffers[0]) // len(buffers)
    sent = [0] * n
    for step in range(2 * (n - 1)):
        parcels = []  # all ranks send at the same moment
        for rank in range(n):
            at = (rank - step) % n * chunk
            parcels.append((at, buffers[rank][at : at + chunk]))
            sent[rank] += chunk
        for rank, (at, values) in enumerate(parcels):
            right = buffers[(rank + 1) % n]
            for i, value in enumerate(values, at):
                adding = step < n - 1  # reduce-scatter, then all-gather
                right[i] = right[i] + value if adding else value
    return sent
# --8<-- [end:ring]


sent = ring_all_reduce(buffers)
size = len(expected)
print(f"every GPU holds the sum: {all(b == expected for b in buffers)}")
print(f"elements held {size}, sent by each GPU {set(sent)}")
print(f"simulated {sent[0] / size:.3f}  2(n-1)/n {2 * (GPUS - 1) / GPUS:.3f}\n")

# --8<-- [start:time]
BUFFER_GB = 7 * 2  # 7 billion gradients in BF16
STEP_LATENCY = 0.0  # seconds; try 10e-6 with BUFFER_GB = 64e-6

ONE_WAY = {  # GB/s out of each GPU; half of what a spec sheet adds up
    "A100 NVLink": 300,  # fact: a100-80-sxm-nvlink-one-way
    "PCIe 4.0 x16": 32 * 128 / 130,  # fact: pcie4-x16-raw
    "H100 NVLink": 450,  # fact: h100-sxm-nvlink-one-way
    "PCIe 5.0 x16": 64 * 128 / 130,  # fact: pcie5-x16-raw
    "NDR port per GPU": 50,  # fact: ib-ndr-bytes
}

print(f"{GPUS} GPUs, {BUFFER_GB:g} GB each, at peak:")
for link, rate in ONE_WAY.items():
    steps = 2 * (GPUS - 1)
    seconds = steps * (STEP_LATENCY + BUFFER_GB / GPUS / rate)
    print(f"{link:<17}{rate:>6.1f} GB/s {seconds * 1e3:>10.4g} ms")
# --8<-- [end:time]
