"""Size against two baselines, and what a benchmark of a given length can say about quality."""
from math import comb, sqrt

# --8<-- [start:size]
PARAMS = 8_030_261_248  # fact: llama31-8b-params
KEPT = 0.13  # share of parameters left in 16 bits: embeddings, output head
formats = {  # bits per weight, bits of one scale, weights that share a scale
    "BF16": (16, 0, 1),
    "FP8, scale per tensor": (8, 32, 10**7),
    "INT8, scale per row": (8, 16, 4096),
    "INT4, groups of 128": (4, 16, 128),
    "INT4, groups of 32": (4, 16, 32),
}
# --8<-- [end:size]

print("weights                   GB  vs FP32  vs BF16")
for name, (bits, scale, group) in formats.items():
    low = 0 if bits == 16 else 1 - KEPT
    size = PARAMS * (low * (bits + scale / group) + (1 - low) * 16) / 8 / 1e9
    print(f"{name:22} {size:5.1f} {PARAMS * 4 / 1e9 / size:7.2f}x {PARAMS * 2 / 1e9 / size:7.2f}x")

# --8<-- [start:gate]
# items, right before and wrong now, wrong before and right now
tests = {
    "500 items": (500, 15, 9),
    "5,000 items": (5000, 150, 90),
    "same net, calm": (5000, 62, 2),
}

print("\npaired test        drop   +- 2 SE  flipped  luck alone")
for name, (items, broken, mended) in tests.items():
    drop = (broken - mended) / items
    error = sqrt(broken + mended - (broken - mended) ** 2 / items) / items
    flips = broken + mended  # if quality is unchanged, each flip is a fair coin
    tail = sum(comb(flips, k) for k in range(min(broken, mended) + 1)) / 2**flips
    luck = min(1, 2 * tail)
    print(f"{name:16} {drop:6.2%} {2 * error:8.2%} {flips / items:8.2%} {luck:10.2g}")
# --8<-- [end:gate]
