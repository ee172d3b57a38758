"""Decode every code of five formats from its bits, then store some numbers in each."""
import struct
from bisect import bisect
from math import inf, nan

# --8<-- [start:formats]
#        exponent bits, mantissa bits, what the top exponent holds
FORMATS = {
    "FP16": (5, 10, "inf and NaN"),
    "BF16": (8, 7, "inf and NaN"),
    "E5M2": (5, 2, "inf and NaN"),
    "E4M3": (4, 3, "one NaN"),
    "E2M1": (2, 1, "numbers"),
}
STORE = [0.1, 1.004, 300.0, 70_000.0, 1e-6]


# --8<-- [start:decode]
def decode(code, e_bits, m_bits, top):
    """The value of a positive code: exponent field, then mantissa field."""
    e, m = divmod(code, 2**m_bits)
    bias = 2 ** (e_bits - 1) - 1
    if top == "inf and NaN" and e == 2**e_bits - 1:
        return inf if m == 0 else nan
    if top == "one NaN" and code == 2 ** (e_bits + m_bits) - 1:
        return nan
    if e == 0:
        return m / 2**m_bits * 2.0 ** (1 - bias)  # subnormal: no hidden 1
    return (1 + m / 2**m_bits) * 2.0 ** (e - bias)
# --8<-- [end:decode]
# --8<-- [end:formats]


def finite_values(e_bits, m_bits, top):
    """All positive finite values, in the order of their codes."""
    decoded = (decode(code, e_bits, m_bits, top) for code in range(2 ** (e_bits + m_bits)))
    return [value for value in decoded if value < inf]  # drops inf and NaN


def store(x, values):
    """The nearest value, ties to the even code; "over" where that code would be no number."""
    last = len(values) - 1
    edge = values[last] + (values[last] - values[last - 1]) / 2
    if x > edge or (x == edge and last % 2):
        return "over"
    above = bisect(values, x)
    pair = range(above - 1, min(above, last) + 1)
    nearest = min(pair, key=lambda code: (abs(values[code] - x), code % 2))
    return f"{values[nearest]:.4g}"


VALUES = {name: finite_values(*layout) for name, layout in FORMATS.items()}
half = [struct.unpack("e", struct.pack("H", code))[0] for code in range(0x7C00)]
print("FP16 equals Python's own:", VALUES["FP16"] == half, "\n")
print("       codes  smallest  normal from  gap at 1    largest")
for name, (e, m, _) in FORMATS.items():
    values, normal = VALUES[name], VALUES[name][2**m]
    print(f"{name} {2 ** (1 + e + m):7,} {values[1]:9.2g} {normal:12.3g} {2.0**-m:9.3g} {values[-1]:10.5g}")
print("\nstore  ", "".join(f"{x:>10g}" for x in STORE))
for name, values in VALUES.items():
    print(f"{name:6} ", "".join(f"{store(x, values):>10}" for x in STORE))
print("\nE2M1, all of it:", *(f"{value:g}" for value in VALUES["E2M1"]))
