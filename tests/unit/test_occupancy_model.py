"""The occupancy model: limits as the facts say, and what caps a kernel."""

from __future__ import annotations

import pytest

from gpubites.library import Library
from gpubites.occupancy import PARTITIONS, REGISTER_UNIT, REGISTERS, SHARED_RESERVED, SHARED_UNIT, SMS, WARP, residency


def test_every_limit_is_the_one_of_the_facts(library: Library) -> None:
    def fact(name: str) -> float | None:
        return library.facts[name].value

    assert (fact("cc-all-warp-size"), fact("cc-all-registers-sm")) == (WARP, REGISTERS)
    assert (fact("cc-all-register-granularity"), fact("cc-all-subpartitions")) == (REGISTER_UNIT, PARTITIONS)
    assert ((fact("cc-9-0-smem-reserved") or 0) * 1024, fact("cc-9-0-smem-granularity")) == (SHARED_RESERVED, SHARED_UNIT)
    for arch, capability in (("sm_80", "8-0"), ("sm_90", "9-0"), ("sm_100", "10-0")):
        sm = SMS[arch]
        limits = [fact(f"cc-{capability}-{name}") for name in ("max-warps-sm", "max-blocks-sm", "smem-sm")]
        assert [sm.warps, sm.blocks, sm.shared / 1024] == limits


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "blocks", "limiter"),
    [
        (256, 32, 0, 8, "warps registers"),
        (32, 32, 0, 32, "blocks"),
        (1024, 33, 0, 1, "registers"),
        (256, 33, 0, 6, "registers"),
        (256, 32, 57 * 1024, 3, "shared"),
        (100, 16, 0, 16, "warps"),
    ],
)
def test_the_scarcest_resource_caps(threads: int, registers: int, shared: int, blocks: int, limiter: str) -> None:
    fits = residency("sm_90", threads, registers, shared)
    assert (fits.blocks, " ".join(fits.limiters)) == (blocks, limiter)


def test_asking_for_more_never_adds_a_block() -> None:
    for arch in SMS:
        for threads in range(32, 1025, 96):
            for registers in range(16, 129, 16):
                for shared in range(0, 99_000, 9_000):
                    blocks = residency(arch, threads, registers, shared).blocks
                    assert blocks >= residency(arch, threads, registers + 8, shared).blocks
                    assert blocks >= residency(arch, threads, registers, shared + 128).blocks
