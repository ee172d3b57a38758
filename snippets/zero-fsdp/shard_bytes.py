"""Bytes per GPU and bytes on the wire for each ZeRO stage, then one FSDP step."""

# --8<-- [start:stages]
PARAMS = 8.03e9  # a model of about 8 billion parameters
GPUS = 8
MICRO_BATCHES = 1  # forward and backward passes before a step
WEIGHT, GRAD, OPTIMIZER = 2, 2, 12  # bytes per parameter

# What a stage shards; passes over the 2-byte weights that are sent
# per micro-batch and per step
STAGES = {
    "replicate": ((), 0, 2),  # one all-reduce is two passes
    "stage 1": (("optimizer",), 0, 2),
    "stage 2": (("optimizer", "grad"), 1, 1),
    "stage 3": (("optimizer", "grad", "weight"), 3, 0),
}
# --8<-- [end:stages]

SIZES = {"weight": WEIGHT, "grad": GRAD, "optimizer": OPTIMIZER}


def held(sharded):
    """Gigabytes of training state on one GPU, activations not counted."""
    return PARAMS / 1e9 * sum(
        size / (GPUS if part in sharded else 1)
        for part, size in SIZES.items())


def sent(per_micro, per_step):
    """Gigabytes one GPU sends in one optimizer step, in a ring."""
    passes = per_micro * MICRO_BATCHES + per_step
    return passes * WEIGHT * PARAMS / 1e9 * (GPUS - 1) / GPUS


print(f"{PARAMS / 1e9:g}B parameters, {GPUS} GPUs, "
      f"micro-batches per step: {MICRO_BATCHES}")
print(f"{'':<11}{'GB held':>9}{'GB sent per step':>19}")
for name, (sharded, per_micro, per_step) in STAGES.items():
    print(f"{name:<11}{held(sharded):>9.1f}"
          f"{sent(per_micro, per_step):>19.1f}")

print()

# --8<-- [start:units]
WRAPPED = "blocks"  # "blocks" or "root": what is gathered at once
BLOCK, BLOCKS = 218e6, 32  # parameters of a block, number of blocks
REST = 1051e6  # embedding, output layer, last norm: the root's own
AHEAD = 1  # blocks gathered ahead of the one in use
# --8<-- [end:units]

if WRAPPED == "root":  # one unit: it stays gathered until its backward
    full = BLOCK * BLOCKS + REST
else:
    full = REST + BLOCK * (1 + AHEAD)
gathered = full * (WEIGHT + GRAD) / 1e9
shards = (BLOCK * BLOCKS + REST) * 16 / GPUS / 1e9
print(f"stage 3 wrapped by {WRAPPED}: {shards:.1f} GB of shards, "
      f"{gathered:.1f} GB full")
