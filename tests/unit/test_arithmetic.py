"""Arithmetic in prose: what is found, and whether it comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpubites.arithmetic import equations


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("32 lanes x 4 bytes = 128 bytes used.", 128),
        ("A warp asks for 6 queries, 32 / 48 = 66.7% of it.", 32 / 48),
        ("2 x 7/8 x 16 GB = 28 GB out of each", 28),
        ("28 GB / 450 GB/s = 62 ms", 28 / 450),
        ("14 GB / 2,000 GB/s = 7 ms", 0.007),
        ("7.5 billion x 0.5 bytes = 3.75 GB per token", 3.75),
        ("1024 x 1024 x 4 bytes = 4 MiB", 4_194_304),
        ("2 x 1,024^3 = 2,147 million", 2 * 1024**3),
        ("1 - 0.99^20 = 18%", 1 - 0.99**20),
        ("(2 + 12) / 4 = 3.5 bytes of gradients", 3.5),
        ("8e12 bytes x 8 bits x 3e-12 J = 192 J", 192),
        ("22 − 16 − 1 = 5 GB", 5),
        ("100 / 3 = about 34", 100 / 3),
        ("100 / 3 ≈ 33", 100 / 3),
        ("60 ms of work / 20 = 3 ms", 3),
    ],
)
def test_right_arithmetic_agrees(text: str, value: float) -> None:
    (equation,) = equations(text)
    assert equation.agrees
    assert equation.value == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "32 lanes x 4 bytes = 120 bytes",
        "28 GB / 450 GB/s = 63 ms",
        "28 GB / 450 GB/s = 62 s",
        "32 / 48 = 66.6%",
        "100 / 3 = 34",
        "100 / 3 = about 36",
        "1024 x 1024 x 4 bytes = 4.0 MB",
        "2 x (3 + 4) = 10",
        "0.25 x 7/6 = 0.293",
    ],
)
def test_wrong_arithmetic_is_found(text: str) -> None:
    (equation,) = equations(text)
    assert not equation.agrees


@pytest.mark.parametrize(
    "text",
    [
        "T = 32",
        "with RANKS = 8",
        "x / y = 3",
        "2 x 3 = 2 x 3",
        "GB/s = 3",
        "a 16-bit - 8-bit = wide",
        "2 x = 4",
        "(2 x 3 = 6",
        "10 / 0 = 3",
        "",
        "= 4",
        "1 x 2 =",
    ],
)
def test_what_is_no_equation_is_left_alone(text: str) -> None:
    assert [equation for equation in equations(text) if not equation.agrees] == []


def test_places_are_those_of_the_text() -> None:
    text = "First 2 + 2 = 4, then 3 x 5 = 16 of them."
    found = list(equations(text))
    assert [text[equation.start : equation.end] for equation in found] == ["2 + 2 = 4", "3 x 5 = 16 of them"]
    assert [equation.agrees for equation in found] == [True, False]


@given(st.lists(st.tuples(st.sampled_from("x/+-"), st.integers(1, 999)), min_size=1, max_size=4), st.integers(1, 999))
def test_values_are_those_of_exact_fractions(steps: list[tuple[str, int]], first: int) -> None:
    exact: list[Fraction] = [Fraction(first)]
    for sign, number in steps:
        if sign == "x":
            exact[-1] *= number
        elif sign == "/":
            exact[-1] /= number
        else:
            exact.append(Fraction(number if sign == "+" else -number))
    expression = " ".join([str(first), *(f"{sign} {number}" for sign, number in steps)])
    (equation,) = equations(f"{expression} = 1")
    assert equation.value == pytest.approx(float(sum(exact)))
