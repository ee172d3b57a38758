"""A chunk followed around a ring, then ring, tree and switch timed."""
from math import log2

# --8<-- [start:ring]
GPUS, CHUNK = 4, 0  # which of the GPUS chunks to follow


def follow(gpus, chunk):
    """Yields what every rank holds of one chunk, step by step."""
    held = [chr(ord("A") + rank) for rank in range(gpus)]
    yield held
    for step in range(2 * (gpus - 1)):
        sender = (chunk + step) % gpus
        receiver = (sender + 1) % gpus
        reducing = step < gpus - 1  # then the finished sum is copied
        held = held.copy()
        held[receiver] = held[sender] + (held[receiver] if reducing else "")
        yield held


for step, held in enumerate(follow(GPUS, CHUNK)):
    done = sum(len(sums) == GPUS for sums in held)
    row = " ".join(f"{sums:<{GPUS}}" for sums in held)
    print(f"step {step}  {row}  finished on {done} of {GPUS}")
# --8<-- [end:ring]
print()

# --8<-- [start:time]
RANKS = 64  # one GPU per node
RATE = 50  # fact: ib-ndr-bytes
STEP = 10e-6  # seconds per dependent step: an assumption
TREE_SHARE = 0.92  # fact: nccl-tree-share
SWITCH_STEPS = 4  # up and down two levels: an assumption


def ring(size):
    return 2 * (RANKS - 1) * (STEP + size / RANKS / (RATE * 1e9))


def tree(size):
    return 2 * (log2(RANKS) * STEP + size / (RATE * 1e9) / TREE_SHARE)


def switch(size):  # every rank sends the buffer about once
    return SWITCH_STEPS * STEP + size / (RATE * 1e9)


print(f"{'size':>12}{'ring':>10}{'tree':>10}{'switch':>10} ms")
for size in (64e3, 1e6, 16e6, 256e6, 1e9, 16e9):
    times = [cost(size) * 1e3 for cost in (ring, tree, switch)]
    row = "".join(f"{ms:>10.3f}" for ms in times)
    print(f"{size / 1e6:>9g} MB{row}")
# --8<-- [end:time]
