"""How many blocks of a kernel fit on an SM, and the resource that caps them: the rules of NVIDIA's cuda_occupancy.h."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

WARP = 32
REGISTERS = 65536
# A warp gets its registers in units of this many, from one of the SM's four partitions.
REGISTER_UNIT = 256
PARTITIONS = 4
# Shared memory that every block pays for beyond its own, and the unit it is handed out in; bytes.
SHARED_RESERVED = 1024
SHARED_UNIT = 128


@dataclass(frozen=True)
class Sm:
    """What one SM can hold: resident warps, resident blocks, bytes of shared memory."""

    warps: int
    blocks: int
    shared: int


SMS = {
    "sm_80": Sm(warps=64, blocks=32, shared=164 * 1024),
    "sm_90": Sm(warps=64, blocks=32, shared=228 * 1024),
    "sm_100": Sm(warps=64, blocks=32, shared=228 * 1024),
}


@dataclass(frozen=True)
class Residency:
    """Blocks and warps resident on an SM at once, and what allows no more: `warps`, `blocks`, `registers`, `shared`."""

    blocks: int
    warps: int
    limiters: tuple[str, ...]


def residency(arch: str, threads: int, registers: int, shared: int) -> Residency:
    """Of blocks of `threads` threads with `registers` each and `shared` bytes a block, static and dynamic together."""
    sm, warps = SMS[arch], ceil(threads / WARP)
    warps_with_registers = REGISTERS // PARTITIONS // _up(registers * WARP, REGISTER_UNIT) * PARTITIONS
    allowed = {
        "warps": sm.warps // warps,
        "blocks": sm.blocks,
        "registers": warps_with_registers // warps,
        "shared": sm.shared // _up(shared + SHARED_RESERVED, SHARED_UNIT),
    }
    blocks = min(allowed.values())
    return Residency(blocks, blocks * warps, tuple(name for name, most in allowed.items() if most == blocks))


def _up(amount: int, unit: int) -> int:
    return -(-amount // unit) * unit
