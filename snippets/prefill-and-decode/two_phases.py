"""Least time of a prefill and of a decode step: Llama-3.1-8B in BF16 on one H100, at peak rates."""

LAYERS, HIDDEN = 32, 4096
IN_LAYERS = 6_979_321_856  # fact: llama31-8b-layer-params
HEAD = 525_336_576  # fact: llama31-8b-head-params
KV = 131_072  # fact: llama31-8b-kv-bytes-token
ROOM = 57.54e9  # fact: vllm-h100-llama31-8b-kv-budget

# --8<-- [start:phases]
PEAK = 989.4  # fact: h100-sxm-bf16-dense
BANDWIDTH = 3350  # fact: h100-sxm-mem-bw


def milliseconds(flops, moved):
    """The larger of the two times, and which one it is."""
    math, memory = flops / PEAK / 1e9, moved / BANDWIDTH / 1e6
    return (math, "math") if math > memory else (memory, "bytes")


def step(batch, new, cached):
    """`batch` sequences add `new` tokens each, on top of `cached` ones."""
    flops = 2 * (IN_LAYERS * batch * new + HEAD * batch)
    linear = milliseconds(flops, 2 * (IN_LAYERS + HEAD))  # read once a step
    pairs = batch * new * (cached + (new + 1) / 2)  # a query and a key it may see
    cache = KV * batch * (cached + new)  # read for each sequence
    attention = milliseconds(4 * HIDDEN * LAYERS * pairs, cache)
    return linear, attention


PREFILL = [(1, 128, 0), (1, 512, 0), (1, 2048, 0), (1, 16384, 0)]
DECODE = [(1, 1, 2048), (64, 1, 2048), (64, 1, 6000), (400, 1, 200), (400, 1, 2048)]
# --8<-- [end:phases]

print(f"{'linear':>38}{'attention':>12}{'tokens':>7}")
print("        batch   new cached    ms limit    ms limit     /s")
for phase, cases in [("prefill", PREFILL), ("decode", DECODE)]:
    for batch, new, cached in cases:
        (a, why_a), (b, why_b) = step(batch, new, cached)
        rate = batch * new / (a + b) * 1000
        full = "" if KV * batch * (cached + new) < ROOM else "*"
        print(f"{phase:8}{batch:5}{new:6}{cached:6} {a:6.2f} {why_a:5}{b:6.2f} {why_b:5}{rate:7,.0f}{full}")
print("* more cache than the GPU has room for")
