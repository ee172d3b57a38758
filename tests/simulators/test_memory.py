"""What the simulators of memory always hold to."""

from __future__ import annotations

from math import gcd

from hypothesis import given
from hypothesis import strategies as st

from models import simulator

bank = simulator("bank-conflicts/bank_lab.py")


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
