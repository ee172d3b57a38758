"""Every value that a small floating-point format can hold, from its exponent and mantissa bits, and what it makes of a number."""

from math import inf, isfinite, log2, nan
from typing import Annotated

PREDICT = {"ask": "4 exponent bits and 3 mantissa bits, the top exponent kept for numbers except one code for NaN: what is the largest value?",
           "at": {"exponent": 4, "mantissa": 3, "top": "numbers, one NaN"}, "unit": ""}
LEFT_OUT = ("Rounding modes other than to the nearest, ties to even; a number beyond the largest is stored as the largest where there is no "
            "infinity. Also blocks that share a scale, as in the MX formats, and arithmetic, which is usually done in a wider format.")


def simulate(
    exponent: Annotated[int, range(2, 9), "bits", "Exponent"] = 4,
    mantissa: Annotated[int, range(0, 11), "bits", "Mantissa"] = 3,
    top: Annotated[str, ["infinity and NaN", "numbers, one NaN", "numbers only"], "", "The largest exponent is for"] = "numbers, one NaN",
    number: Annotated[float, [0.001, 0.1, 0.3, 1.1, 3.14159, 17, 300, 1000, 70000], "", "Store"] = 300,
):
    values = finite(exponent, mantissa, top)
    largest, smallest = values[-1], next((value for value in values if value > 0), 0)
    normal = 2.0 ** (2 - 2 ** (exponent - 1))
    stored = store(number, values, top)
    error = "" if stored == number else f", {abs(stored - number) / number:.1%} off" if isfinite(stored) else ""
    name = f"E{exponent}M{mantissa}"
    says = (f"{name}, {1 + exponent + mantissa} bits: {2 * len(values) - 1:,} different finite values up to {show(largest)}; the smallest normal one is {show(normal)}, "
            f"the smallest of all {show(smallest)}. {number:g} is stored as {show(stored)}{error}.")
    table = [["", "value"], ["bits", 1 + exponent + mantissa], ["largest", show(largest)], ["smallest normal", show(normal)], ["smallest above zero", show(smallest)],
             ["gap after 1", show(2.0**-mantissa)], ["different finite values", 2 * len(values) - 1], [f"{number:g} becomes", show(stored)]]
    return {"svg": picture(values, mantissa), "table": table, "result": largest, "says": says}


def decode(code, exponent, mantissa, top):
    """The value of a code without its sign bit."""
    field, fraction = code >> mantissa, code & (1 << mantissa) - 1
    bias = 2 ** (exponent - 1) - 1
    if field == 2**exponent - 1:
        if top == "infinity and NaN":
            return nan if fraction else inf
        if top == "numbers, one NaN" and fraction == (1 << mantissa) - 1:
            return nan
    if field == 0:  # subnormal: no hidden one
        return fraction * 2.0 ** (1 - bias - mantissa)
    return (1 + fraction / 2**mantissa) * 2.0 ** (field - bias)


def finite(exponent, mantissa, top):
    """The finite values from zero up, in order."""
    return [value for value in (decode(code, exponent, mantissa, top) for code in range(1 << exponent + mantissa)) if isfinite(value)]


def store(number, values, top):
    """The nearest value; a tie goes to the even code. Beyond the largest, rounding ends in infinity or at the largest."""
    gap = values[-1] - values[-2]
    if number >= values[-1] + gap / 2 and top == "infinity and NaN":
        return inf
    return min(enumerate(values), key=lambda pair: (abs(pair[1] - number), pair[0] % 2))[1]


def show(value):
    return f"{value:,.10g}" if value in (0, inf) or 1e-3 <= abs(value) < 1e6 else f"{value:.3g}"


def picture(values, mantissa):
    """The positive values as marks, first all of them by powers of two, then those from 1 to 2."""
    positive = [value for value in values if value > 0]
    low, high = log2(positive[0]), log2(positive[-1])
    places = sorted({round(20 + (log2(value) - low) / (high - low or 1) * 360) for value in positive})
    marks = "".join(f"M{place} 44v34" for place in places)
    one = sorted({round(20 + (value - 1) * 360, 0) for value in values if 1 <= value <= 2})
    between = "".join(f"M{place:.0f} 140v34" for place in one)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 206"><g class="small muted"><text x="20" y="32">all positive values, by powers of two</text>'
            f'<text x="20" y="94">{show(positive[0])}</text><text class="end" x="380" y="94">{show(positive[-1])}</text><text x="20" y="128">from 1 to 2: {2**mantissa} step{"s" if mantissa else ""}</text>'
            f'<text x="20" y="190">1</text><text class="end" x="380" y="190">2</text></g><path class="cool-line" stroke-width="1" d="{marks}"/><path class="hot-line" d="{between}"/></svg>')
