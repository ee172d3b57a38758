"""Which part serves a load within its latency target at the lowest price? An estimate."""

GPUS = {
    "L4": {
        "memory": 24,  # fact: l4-mem-capacity
        "bandwidth": 300,  # fact: l4-mem-bw
        "bf16": 121,  # fact: l4-bf16-dense
    },
    "A100 80GB": {
        "memory": 80,  # fact: a100-80-sxm-mem-capacity
        "bandwidth": 2039,  # fact: a100-80-sxm-mem-bw
        "bf16": 312,  # fact: a100-80-sxm-bf16-dense
    },
    "H100 SXM": {
        "memory": 80,  # fact: h100-sxm-mem-capacity
        "bandwidth": 3350,  # fact: h100-sxm-mem-bw
        "bf16": 989.4,  # fact: h100-sxm-bf16-dense
    },
}
PARAMS, EMBEDDING, KV = 8.03e9, 0.53e9, 131_072  # Llama-3.1-8B
MEMORY_SHARE = 0.92  # of the GPU, for weights and KV cache

# --8<-- [start:load]
PRICE = {"L4": 0.7, "A100 80GB": 2.0, "H100 SXM": 3.5}  # per hour: placeholders
PEAK = 12.0  # requests per second in the busiest minutes
TPOT_MS = 50  # target: time per output token
PROMPT, OUTPUT = 1000, 200  # tokens of a typical request
REACHED = 0.6  # share of the peak rates that the engine reaches: measure it
SPARE = 1  # replicas that may fail at the peak
# --8<-- [end:load]


def capacity(gpu, size):
    """Largest batch in memory and target, ms per token, requests per second."""
    read, cache = (PARAMS - EMBEDDING) * size, KV * (PROMPT + OUTPUT / 2)
    room = gpu["memory"] * 1e9 * MEMORY_SHARE - PARAMS * size
    flops, best = gpu["bf16"] * 1e12 * REACHED, (0, 0, 0)
    prefill = 2 * (PARAMS - EMBEDDING) * PROMPT / flops
    for batch in range(1, int(room / (KV * (PROMPT + OUTPUT))) + 1):
        load = (read + batch * cache) / (gpu["bandwidth"] * 1e9 * REACHED)
        step = max(load, 2 * (PARAMS - EMBEDDING) * batch / flops)
        if step * 1000 <= TPOT_MS:
            best = batch, step * 1000, 1 / (prefill + OUTPUT * step / batch)
    return best


print(f"{'':10}{'weights':>8}{'batch':>6}{'ms':>6}{'req/s':>7}{'GPUs':>5}{'per hour':>9}")
for name, gpu in GPUS.items():
    for label, size in (("16-bit", 2), ("8-bit", 1)):
        batch, step, rate = capacity(gpu, size)
        row = f"{name:10}{label:>8}"
        if not batch:
            print(f"{row}  misses the target at batch 1")
            continue
        count = -int(-PEAK // rate) + SPARE
        print(f"{row}{batch:6}{step:6.1f}{rate:7.2f}{count:5}{count * PRICE[name]:9.1f}")
