"""Tensor, pipeline and data parallel layouts of one cluster, timed roughly."""

# --8<-- [start:cluster]
GPUS, DOMAIN = 512, 8  # GPUs in all, GPUs in one NVLink domain
SEQUENCES, LENGTH = 1024, 4096  # the global batch
FAST = 370  # fact: nccl-h100-ring-busbw
SLOW = 50  # fact: ib-ndr-bytes
# --8<-- [end:cluster]
PARAMS, LAYERS, HIDDEN = 70.55e9, 80, 8192  # a Llama-3.1-70B
PEAK = 989.4e12 * 0.6  # dense BF16, and an assumed share of it
MEMORY = 80  # fact: h100-sxm-mem-capacity
KV_HEADS = 8  # fact: llama31-70b-kv-heads

MATH = 6 * PARAMS * SEQUENCES * LENGTH / GPUS / PEAK  # in every plan
MESSAGE = LENGTH * HIDDEN * 2 / 1e9  # GB of one tensor-parallel sum
ACTS = 34 * LENGTH * HIDDEN * LAYERS / 1e9  # GB kept per sequence


def cost(tensor, pipe, data):
    """GB per GPU; seconds: math, tensor, bubble, exposed gradients."""
    micros = SEQUENCES // data  # of one sequence each
    shard = PARAMS / tensor / pipe / 1e9
    state = shard * (2 + 2 + 12 / data)  # ZeRO stage 1
    acts = ACTS / tensor / pipe * min(pipe, micros)  # 1F1B
    rate = FAST if tensor <= DOMAIN else SLOW
    sums = 4 * LAYERS / pipe * micros  # two forward, two backward
    sent = sums * 2 * (tensor - 1) / tensor * MESSAGE
    bubble = (MATH + sent / rate) * (pipe - 1) / micros
    link = FAST if tensor * data <= DOMAIN else SLOW  # own card each
    sync = 2 * 2 * shard * (data - 1) / data / link
    exposed = max(0, sync - MATH / micros / 2)  # behind one backward
    return state + acts, MATH, sent / rate, bubble, exposed


def fsdp():
    """All GPUs shard everything; full recompute, all cards in use."""
    tokens = SEQUENCES / GPUS * LENGTH
    blocks = 2 * 4 * PARAMS / LAYERS / 1e9
    kept = 2 * tokens * HIDDEN * LAYERS / 1e9
    work = 34 * tokens * HIDDEN / 1e9
    gather = 3 * 2 * PARAMS / 1e9 / min(FAST, 8 * SLOW)
    math = MATH * 4 / 3
    held = 16 * PARAMS / GPUS / 1e9 + blocks + kept + work
    return held, math, 0, 0, max(0, gather - math)


# FSDP needs a whole sequence for every GPU.
plans = {"FSDP": fsdp()} if SEQUENCES >= GPUS else {}
for tensor in (1, 2, 4, 8):
    for pipe in (1, 2, 4, 8, 16):
        data = GPUS // tensor // pipe
        if tensor <= KV_HEADS and data and SEQUENCES % data == 0:
            plans[f"{tensor:>2} {pipe:>2} {data:>3}"] = cost(tensor, pipe, data)

print(f"{'tp pp  dp':<9}{'GB':>4}{'math':>7}{'tp':>6}"
      f"{'bubble':>8}{'grads':>7}{'step s':>8}")
for name, (held, *parts) in sorted(plans.items(), key=lambda p: sum(p[1][1:])):
    if held < 0.9 * MEMORY:
        math, summing, bubble, exposed = parts
        print(f"{name:<9}{held:>4.0f}{math:>7.2f}{summing:>6.2f}"
              f"{bubble:>8.2f}{exposed:>7.2f}{sum(parts):>8.2f}")
