"""Blocks that fit on one SM, and the resource that caps them."""

from math import ceil

REGISTERS = 65536  # fact: cc-all-registers-sm
REGISTER_UNIT = 256  # fact: cc-all-register-granularity
PARTITIONS = 4  # fact: cc-all-subpartitions
RESERVED = 1  # fact: cc-9-0-smem-reserved
SHARED_UNIT = 128  # fact: cc-9-0-smem-granularity
KIB = 1024
CAPABILITIES = {
    "8.0": {  # A100
        "warps": 64,  # fact: cc-8-0-max-warps-sm
        "blocks": 32,  # fact: cc-8-0-max-blocks-sm
        "shared": 164,  # fact: cc-8-0-smem-sm
    },
    "8.9": {  # L4, L40S, RTX 4090
        "warps": 48,  # fact: cc-8-9-max-warps-sm
        "blocks": 24,  # fact: cc-8-9-max-blocks-sm
        "shared": 100,  # fact: cc-8-9-smem-sm
    },
    "9.0": {  # H100, H200
        "warps": 64,  # fact: cc-9-0-max-warps-sm
        "blocks": 32,  # fact: cc-9-0-max-blocks-sm
        "shared": 228,  # fact: cc-9-0-smem-sm
    },
    "10.0": {  # B200
        "warps": 64,  # fact: cc-10-0-max-warps-sm
        "blocks": 32,  # fact: cc-10-0-max-blocks-sm
        "shared": 228,  # fact: cc-10-0-smem-sm
    },
}


def round_up(amount, unit):
    return ceil(amount / unit) * unit


def caps(sm, threads, registers, shared):
    """Blocks that each resource allows; `shared` in bytes."""
    warps = ceil(threads / 32)
    per_warp = round_up(registers * 32, REGISTER_UNIT)
    fitting = REGISTERS // PARTITIONS // per_warp * PARTITIONS
    per_block = round_up(shared + RESERVED * KIB, SHARED_UNIT)
    return {
        "warps": sm["warps"] // warps,
        "blocks": sm["blocks"],
        "registers": fitting // warps,
        "shared": sm["shared"] * KIB // per_block,
    }


def resident(sm, threads, registers, shared):
    return min(caps(sm, threads, registers, shared).values())


# --8<-- [start:kernels]
capability = "9.0"
kernels = [  # threads a block, registers a thread, shared bytes
    (256, 32, 0),
    (1024, 32, 0),
    (1024, 33, 0),
    (256, 33, 0),
    (32, 32, 0),
    (256, 32, 56 * KIB),
    (256, 32, 57 * KIB),
    (384, 168, 200 * KIB),
]
# --8<-- [end:kernels]

sm = CAPABILITIES[capability]
print(f"capability {capability}: {sm['warps']} warps, {sm['blocks']} blocks, {sm['shared']} KiB an SM")
print("threads regs shared blocks warps occupancy  cap")
for threads, registers, shared in kernels:
    allowed = caps(sm, threads, registers, shared)
    blocks = min(allowed.values())
    warps = blocks * ceil(threads / 32)
    cap = ", ".join(name for name, most in allowed.items() if most == blocks)
    share, size = f"{warps / sm['warps']:.1%}", f"{shared / KIB:g}K"
    print(f"{threads:7} {registers:4} {size:>6} {blocks:6} {warps:5} {share:>9}  {cap}")

shapes = rises = falls = 0
for sm in CAPABILITIES.values():
    for threads in range(32, 1024, 32):
        for registers in range(16, 256, 8):
            for shared in range(0, 96 * KIB, 24 * KIB):
                blocks = resident(sm, threads, registers, shared)
                larger = resident(sm, threads + 32, registers, shared)
                assert blocks >= resident(sm, threads, registers + 8, shared)
                assert blocks >= resident(sm, threads, registers, shared + 24 * KIB)
                assert blocks >= larger
                shapes += 1
                rises += larger * (threads + 32) > blocks * threads
                falls += larger * (threads + 32) < blocks * threads
print(f"\n{shapes} shapes: asking for more never added a block.")
print(f"One more warp a block: more warps in {rises} shapes,")
print(f"fewer in {falls}.")
