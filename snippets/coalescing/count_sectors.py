"""Count the sectors that one warp's load touches, for eleven ways to index an array."""

import random

SECTOR = 32  # fact: cc-all-min-transaction
LANES = range(32)
random.seed(1)


# --8<-- [start:count]
def touch(addresses, width):
    """The sectors a warp touches and the bytes it wanted."""
    wanted = {a + byte for a in addresses for byte in range(width)}
    return {byte // SECTOR for byte in wanted}, wanted


# What lane i reads: (byte addresses, bytes per lane).
patterns = {
    "float x[i]": ([4 * i for i in LANES], 4),
    "float x[31 - i]": ([4 * (31 - i) for i in LANES], 4),
    "float x[i + 1]": ([4 * (i + 1) for i in LANES], 4),
    "float x[i + 8]": ([4 * (i + 8) for i in LANES], 4),
    "float x[2 * i]": ([4 * 2 * i for i in LANES], 4),
    "float p[i].x of 4": ([4 * 4 * i for i in LANES], 4),
    "float x[8 * i]": ([4 * 8 * i for i in LANES], 4),
    "float x[n * i]": ([4 * 1000 * i for i in LANES], 4),
    "float x[random]": ([4 * random.randrange(10**6) for _ in LANES], 4),
    "float x[0]": ([0 for _ in LANES], 4),
    "float4 x[i]": ([16 * i for i in LANES], 16),
}
# --8<-- [end:count]

print(f"{'lane i reads':18} sectors  bytes moved   used")
for name, (addresses, width) in patterns.items():
    sectors, wanted = touch(addresses, width)
    moved = len(sectors) * SECTOR
    print(f"{name:18} {len(sectors):7} {moved:12} {len(wanted) / moved:6.1%}")
