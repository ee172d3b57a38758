"""What rounding to a few bits does to a row of values when some of them are far larger than the rest, by how many share a scale."""

from math import log10
from random import Random
from typing import Annotated

COUNT = 4096

PREDICT = {"ask": "One value in 512 lies at 30 standard deviations. With 4 bits and one scale for all, what share of the others becomes zero, in per cent?",
           "at": {"bits": 4, "outlier": 30, "group": 4096}, "unit": "%"}
LEFT_OUT = ("What the error does to a model's answers, which no error of single values tells. Also methods that move or split outliers, and "
            "formats with unequal steps. The values are drawn from a bell curve.")


def simulate(
    outlier: Annotated[int, [1, 5, 10, 20, 30, 60, 100], "standard deviations", "One value in 512 lies at"] = 30,
    group: Annotated[int, [16, 32, 64, 128, 256, 512, 4096], "values", "Share a scale"] = 128,
    bits: Annotated[int, [2, 3, 4, 6, 8], "bits", "Each value is stored in"] = 4,
):
    values = row(outlier)
    stored = quantize(values, bits, group)
    ordinary = [(value, kept) for place, (value, kept) in enumerate(zip(values, stored)) if place % 512 != 100]
    zeros = round(100 * sum(kept == 0 for _, kept in ordinary) / len(ordinary), 1)
    error = (sum((value - kept) ** 2 for value, kept in ordinary) / sum(value**2 for value, _ in ordinary)) ** 0.5
    cost = round(bits + 16 / group, 3)
    says = (f"{bits} bits, a scale for every {group:,}: the ordinary values are off by {error:.1%} of their size (RMS), and {zeros:g} % of them become zero. "
            f"With 16-bit scales each value costs {cost:g} bits.")
    table = [["", "value"], ["error of ordinary values, RMS", f"{error:.2%}"], ["signal to noise, dB", round(-20 * log10(error), 1) if error else 0],
             ["ordinary values that become zero", f"{zeros:g} %"], ["bits per value, scales included", cost]]
    return {"svg": picture(values, stored, group, outlier), "table": table, "result": zeros, "says": says}


def row(outlier):
    """Values of a bell curve of deviation 1; every 512th, from the 101st on, is set to `outlier`."""
    rng = Random(4)
    return [float(outlier) if place % 512 == 100 else rng.gauss(0, 1) for place in range(COUNT)]


def quantize(values, bits, group):
    """Each group: integers from -m to m, times one scale that its largest value sets. The scale itself is not rounded."""
    most, stored = 2 ** (bits - 1) - 1, []
    for first in range(0, len(values), group):
        part = values[first : first + group]
        scale = max(map(abs, part)) / most
        stored += [scale * round(value / scale) for value in part]
    return stored


def picture(values, stored, group, outlier):
    """Values 65 to 128 and what is stored of them, between the scales' edges; the outlier lies beyond the frame."""
    first, last, pitch = 64, 128, 5.84

    def marks(row):
        return "".join(f"M{14 + n * pitch:.1f} {98 - max(-3.6, min(3.6, value)) * 24:.0f}h5v4h-5z" for n, value in enumerate(row) if abs(value) < 4)

    edges = "".join(f"M{14 + (n - first) * pitch:.0f} 12V188" for n in range(first, last + 1, group)) if group < last else ""
    beyond = 14 + (100 - first) * pitch + 2.5
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 222">' + (f'<path class="line dash" d="{edges}"/>' if edges else "") +
            f'<path class="muted" fill-opacity="0.55" d="{marks(values[first:last])}"/><path class="hot" d="{marks(stored[first:last])}"/>'
            + (f'<path class="bad" d="M{beyond:.1f} 4l5 9h-10z"/><text class="small" x="{beyond + 9:.0f}" y="14">{outlier}</text>' if outlier >= 4 else "") +
            '<g class="small"><rect class="muted" x="14" y="203" width="12" height="8"/><text x="31" y="212">values</text><rect class="hot" x="92" y="203" width="12" height="8"/>'
            '<text x="109" y="212">as stored</text><text class="end muted" x="388" y="212">64 of 4,096 values</text></g></svg>')
