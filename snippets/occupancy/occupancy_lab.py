"""How many blocks of a kernel fit on one SM at once, and which resource runs out first."""

from math import ceil
from typing import Annotated

REGISTERS = 65536  # fact: cc-all-registers-sm
REGISTER_UNIT = 256  # fact: cc-all-register-granularity
PARTITIONS = 4  # fact: cc-all-subpartitions
RESERVED = 1 * 1024  # fact: cc-9-0-smem-reserved
SHARED_UNIT = 128  # fact: cc-9-0-smem-granularity
SMS = {  # warps, blocks, bytes of shared memory
    "8.0 (A100)": (
        64,  # fact: cc-8-0-max-warps-sm
        32,  # fact: cc-8-0-max-blocks-sm
        164 * 1024,  # fact: cc-8-0-smem-sm
    ),
    "8.9 (L4, L40S)": (
        48,  # fact: cc-8-9-max-warps-sm
        24,  # fact: cc-8-9-max-blocks-sm
        100 * 1024,  # fact: cc-8-9-smem-sm
    ),
    "9.0 (H100, H200)": (
        64,  # fact: cc-9-0-max-warps-sm
        32,  # fact: cc-9-0-max-blocks-sm
        228 * 1024,  # fact: cc-9-0-smem-sm
    ),
    "10.0 (B200)": (
        64,  # fact: cc-10-0-max-warps-sm
        32,  # fact: cc-10-0-max-blocks-sm
        228 * 1024,  # fact: cc-10-0-smem-sm
    ),
}

PREDICT = {"ask": "Blocks of 256 threads at 128 registers a thread: what occupancy, in per cent?", "at": {"registers": 128}, "unit": "%"}
LEFT_OUT = ("Whether more warps would help. Also clusters, the carve-out that a driver chooses for shared memory, and barriers. Occupancy is "
            "room, not speed.")


def simulate(
    registers: Annotated[int, [16, 24, 32, 40, 48, 64, 80, 96, 128, 168, 224, 255], "registers", "A thread uses"] = 32,
    threads: Annotated[int, [32, 64, 128, 256, 384, 512, 1024], "threads", "A block has"] = 256,
    capability: Annotated[str, ["8.0 (A100)", "8.9 (L4, L40S)", "9.0 (H100, H200)", "10.0 (B200)"], "", "Compute capability"] = "9.0 (H100, H200)",
    shared: Annotated[int, [0, 4, 8, 16, 24, 32, 48, 64, 96], "KiB", "A block's shared memory"] = 0,
):
    allowed = caps(capability, threads, registers, shared * 1024)
    blocks = min(allowed.values())
    warps = blocks * ceil(threads / 32)
    most = SMS[capability][0]
    share = round(100 * warps / most, 1)
    first = [name for name, fitting in allowed.items() if fitting == blocks]
    says = (f"{many(blocks, 'block')} of {threads} threads {'is' if blocks == 1 else 'are'} resident: {warps} of {most} warps, an occupancy of {share:g} %. "
            f"The limit: {' and '.join(first)}." if blocks else f"Not one block fits: it asks for more {' and '.join(first)} than an SM has.")
    table = [["resource", "blocks it allows"], *([name, fitting] for name, fitting in allowed.items()), ["resident", blocks]]
    return {"svg": picture(allowed, blocks, warps, most), "table": table, "result": share, "says": says}


def many(count, word):
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def caps(capability, threads, registers, shared):
    """Blocks that each resource allows; `shared` in bytes."""
    warps, blocks, memory = SMS[capability]
    of_block = ceil(threads / 32)
    per_warp = round_up(registers * 32, REGISTER_UNIT)
    return {
        "warps": warps // of_block,
        "block slots": blocks,
        "registers": REGISTERS // PARTITIONS // per_warp * PARTITIONS // of_block,
        "shared memory": memory // round_up(shared + RESERVED, SHARED_UNIT),
    }


def round_up(amount, unit):
    return ceil(amount / unit) * unit


def picture(allowed, blocks, warps, most):
    """The warp slots of the SM, then a bar for what each resource allows."""
    cells = {"good": [], "quiet": []}
    for slot in range(most):
        cells["good" if slot < warps else "quiet"].append(f"M{14 + slot % 16 * 23.2:.0f} {32 + slot // 16 * 17}h21v14h-21z")
    top = 32 + ceil(most / 16) * 17 + 22
    bars = []
    for place, (name, fitting) in enumerate(allowed.items()):
        y = top + place * 26
        long = min(fitting, 40) * 5.2
        role = "hot" if fitting == blocks else "quiet"
        bars.append(f'<text x="14" y="{y + 13}">{name}</text><rect class="{role}" x="128" y="{y}" width="{long:.0f}" height="17"/>'
                    f'<text class="small" x="{134 + long:.0f}" y="{y + 13}">{many(fitting, "block") if fitting == blocks else fitting}</text>')
    slots = "".join(f'<path class="{role}" d="{"".join(shapes)}"/>' for role, shapes in cells.items() if shapes)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {top + 112}"><text class="strong" x="14" y="20">{warps} of {most} warp slots</text>'
            f'{slots}{"".join(bars)}</svg>')
