"""The most FLOP/s that a kernel can reach on a device, for the FLOPs it does per byte it moves."""

from math import log2
from typing import Annotated

DEVICES = {  # GB/s, TFLOP/s on Tensor Cores (BF16, dense) and in plain FP32
    "A100 SXM 80 GB": (
        2039,  # fact: a100-80-sxm-mem-bw
        312,  # fact: a100-80-sxm-bf16-dense
        19.5,  # fact: a100-80-sxm-fp32
    ),
    "H100 SXM": (
        3350,  # fact: h100-sxm-mem-bw
        989.4,  # fact: h100-sxm-bf16-dense
        67,  # fact: h100-sxm-fp32
    ),
    "H200": (
        4800,  # fact: h200-mem-bw
        989.4,  # fact: h200-bf16-dense
        67,  # fact: h200-fp32
    ),
    "B200": (
        7700,  # fact: b200-mem-bw
        2250,  # fact: b200-bf16-dense
        75,  # fact: b200-fp32
    ),
}

PREDICT = {"ask": "A BF16 kernel on an H100 SXM does 64 FLOP for every byte. At most how many TFLOP/s can it reach?", "at": {"intensity": 64},
           "unit": "TFLOP/s"}
LEFT_OUT = ("Everything that keeps a kernel below its roof: too few warps, cold caches, launch time, clocks that fall under load. Peaks and "
            "bandwidths are the vendor's, which no kernel quite reaches.")


def simulate(
    intensity: Annotated[float, [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048], "FLOP/byte", "Arithmetic intensity"] = 1,
    device: Annotated[str, ["A100 SXM 80 GB", "H100 SXM", "H200", "B200"], "", "Device"] = "H100 SXM",
    units: Annotated[str, ["Tensor Cores, BF16", "FP32"], "", "Arithmetic on"] = "Tensor Cores, BF16",
):
    bandwidth, tensor, plain = DEVICES[device]
    peak = tensor if units.startswith("Tensor") else plain
    reached, ridge = attainable(intensity, peak, bandwidth), 1000 * peak / bandwidth
    limit = "bytes" if reached < peak else "arithmetic"
    says = (f"At {intensity:,g} FLOP/byte the {device} reaches at most {reached:.4g} TFLOP/s, {reached / peak:.1%} of its peak: the limit is {limit}. "
            f"The ridge lies at {ridge:.0f} FLOP/byte.")
    table = [["", "value", "unit"], ["bandwidth", bandwidth, "GB/s"], ["peak", peak, "TFLOP/s"], ["ridge", round(ridge, 1), "FLOP/byte"],
             ["intensity", intensity, "FLOP/byte"], ["attainable", round(reached, 3), "TFLOP/s"]]
    return {"svg": picture(intensity, reached, peak, bandwidth, ridge), "table": table, "result": round(reached, 3), "says": says}


def attainable(intensity, peak, bandwidth):
    """TFLOP/s, from FLOP/byte, TFLOP/s and GB/s."""
    return min(peak, intensity * bandwidth / 1000)


def picture(intensity, reached, peak, bandwidth, ridge):
    """Both axes double from line to line."""
    def at(flops_per_byte, tflops):
        return 54 + (log2(flops_per_byte) + 4) * 21.5, 222 - (log2(tflops) + 3) * 13.6

    grid = "".join(f"M{at(2.0**power, 1)[0]:.0f} 16V222" for power in range(-3, 12, 2)) + "".join(f"M54 {at(1, 2.0**power)[1]:.0f}H388" for power in range(-3, 12, 2))
    names = "".join(f'<text class="mid" x="{at(2.0**power, 1)[0]:.0f}" y="238">{2.0**power:g}</text>' for power in (-3, 0, 3, 6, 9))
    names += "".join(f'<text class="end" x="48" y="{at(1, 2.0**power)[1] + 4:.0f}">{2.0**power:g}</text>' for power in (-2, 1, 4, 7, 10))
    (x0, y0), (xr, yr), (x1, _) = at(1 / 16, bandwidth / 16000), at(ridge, peak), at(2900, 1)
    x, y = at(intensity, reached)
    role = "cool" if reached < peak else "hot"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 262"><path class="line" d="{grid}" stroke-width="0.75"/>'
            f'<path class="cool-line" d="M{x0:.1f} {y0:.1f}L{xr:.1f} {yr:.1f}"/><path class="hot-line" d="M{xr:.1f} {yr:.1f}H{x1:.0f}"/>'
            f'<path class="muted-line dash" d="M{x:.1f} 222V{y:.1f}H54"/><circle class="{role}" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
            f'<g class="small muted">{names}<text class="mid" x="221" y="256">FLOP per byte</text><text x="58" y="12">TFLOP/s</text></g></svg>')
