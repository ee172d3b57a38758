"""What the simulators of memory, occupancy and warps always hold to."""

from __future__ import annotations

from math import ceil, gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models import simulator

bank = simulator("bank-conflicts/bank_lab.py")
sector = simulator("coalescing/sector_lab.py")
latency = simulator("memory-hierarchy/latency_lab.py")
tiling = simulator("shared-memory-tiling/tiling_lab.py")
divergence = simulator("warps-and-simt/divergence_lab.py")
roofline = simulator("roofline/roofline_lab.py")
wave = simulator("gpu-utilization/wave_lab.py")

# Bank conflicts


@given(st.integers(0, 10_000))
def test_a_stride_of_floats_takes_as_many_passes_as_its_common_divisor_with_the_banks(stride: int) -> None:
    passes = bank.simulate(stride, "float")["result"]
    assert passes == (gcd(stride, 32) if stride else 1), "lanes that want the same word share it"


@given(st.integers(1, 500), st.sampled_from(["float2", "float4"]))
def test_wide_loads_take_at_least_one_pass_per_part_and_at_most_one_per_lane(stride: int, element: str) -> None:
    passes = bank.simulate(stride, element)["result"]
    assert bank.WORDS[element] <= passes <= 32
    if stride % 2:
        assert passes == bank.WORDS[element], "an odd stride of aligned elements is free of conflicts"


# Coalescing


@pytest.mark.parametrize(("stride", "offset", "sectors"), [(1, 0, 4), (1, 1, 5), (2, 0, 8), (4, 0, 16), (8, 0, 32), (33, 0, 32)])
def test_the_known_counts_of_sectors(stride: int, offset: int, sectors: int) -> None:
    assert sector.simulate(stride, offset, 4)["result"] == sectors


@given(st.integers(1, 100), st.integers(0, 40), st.sampled_from([4, 8, 16]))
def test_no_byte_is_lost_and_no_sector_moves_for_nothing(stride: int, offset: int, size: int) -> None:
    used = sector.bytes_used(stride, offset, size)
    assert sum(used.values()) == 32 * size
    assert all(0 < count <= 32 for count in used.values())
    assert size <= len(used) <= 32 * max(1, size // 16) or offset, "between all of a sector and one lane for each"
    wanted = {(offset + lane * stride) * size + byte for lane in range(32) for byte in range(size)}
    assert used.keys() == {byte // 32 for byte in wanted}


# Latency hiding


@given(st.integers(1, 64), st.sampled_from([1, 2, 4, 8]), st.sampled_from([4, 8, 16]))
def test_bandwidth_grows_with_the_bytes_in_flight_and_ends_at_the_roof(warps: int, loads: int, size: int) -> None:
    flying = latency.SMS * warps * loads * 32 * size
    reached = latency.bandwidth(flying)
    assert 0 < reached <= latency.BANDWIDTH
    assert latency.bandwidth(flying + 4096) >= reached
    assert (reached == latency.BANDWIDTH) == (flying >= latency.bytes_to_fill() - 1)


def test_littles_law_names_the_warps_that_fill_the_pipe() -> None:
    per_warp = 32 * 4
    warps = latency.bytes_to_fill() / latency.SMS / per_warp
    assert latency.bandwidth(latency.SMS * warps * per_warp) == pytest.approx(latency.BANDWIDTH)


# Tiling


@given(st.integers(1, 12), st.integers(1, 5), st.integers(1, 5))
def test_the_loads_of_tiles_are_those_that_a_block_by_block_count_gives(n: int, rows: int, columns: int) -> None:
    counted = 0
    for top in range(0, n, rows):
        for left in range(0, n, columns):
            counted += n * (min(rows, n - top) + min(columns, n - left))
    assert tiling.elements_loaded(n, rows, columns) == counted


def test_a_square_tile_loads_less_by_its_side_where_it_divides_the_matrix() -> None:
    assert all(tiling.simulate(side, side, 4096)["result"] == side for side in (1, 2, 16, 128))
    assert tiling.simulate(32, 32)["result"] > tiling.simulate(16, 64)["result"], "of equal area the square loads least"


# Divergence


@given(st.integers(0, 256), st.integers(1, 90), st.integers(1, 90))
def test_a_branch_costs_a_warp_the_sides_its_lanes_take(taken: int, long: int, short: int) -> None:
    for grouped in (False, True):
        takes = divergence.choices(taken, grouped)
        assert sum(takes) == taken
        costs = [divergence.issued(takes[first : first + 32], long, short) for first in range(0, 256, 32)]
        assert all(min(long, short) <= cost <= long + short for cost in costs)
        work = taken * long + (256 - taken) * short
        assert 32 * sum(costs) >= work, "no lane works more than its warp"
    mixed, sorted_ = (divergence.simulate(taken, grouped, long, short)["result"] for grouped in (False, True))
    assert sorted_ <= mixed
    assert sorted_ - ((taken // 32) * long + (256 - taken) // 32 * short) in (0, long + short), "at most one warp splits"


# Roofline


@given(st.floats(0.01, 10_000), st.sampled_from(list(roofline.DEVICES)))
def test_the_roof_never_falls_and_bends_at_the_ridge(intensity: float, device: str) -> None:
    bandwidth, peak, _ = roofline.DEVICES[device]
    reached = roofline.attainable(intensity, peak, bandwidth)
    assert reached <= roofline.attainable(intensity * 1.1, peak, bandwidth) <= peak
    assert (reached == peak) == (intensity * bandwidth / 1000 >= peak)


def test_known_points_of_the_roof() -> None:
    assert pytest.approx(295.3, abs=0.1) == 1000 * 989.4 / 3350
    assert roofline.attainable(2 / 12, 67, 3350) == pytest.approx(0.558, abs=0.001), "SAXPY in FP32"


# Wave quantization


@given(st.integers(1, 5000), st.integers(1, 600))
def test_one_block_more_than_a_wave_adds_one(blocks: int, slots: int) -> None:
    waves = ceil(blocks / slots)
    assert wave.efficiency(blocks, slots) == pytest.approx(blocks / (waves * slots))
    assert wave.efficiency(waves * slots, slots) == 1
    assert wave.efficiency(waves * slots + 1, slots) == pytest.approx((waves * slots + 1) / ((waves + 1) * slots))
