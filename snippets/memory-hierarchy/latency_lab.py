"""How much of the memory bandwidth a kernel can ask for: bytes in flight, against what Little's law wants."""

from typing import Annotated

SMS = 114  # fact: h100-pcie-sm-count
LATENCY = 650  # fact: h100-pcie-measured-mem-latency
CLOCK = 1755  # fact: h100-pcie-measured-clock
BANDWIDTH = 1988  # fact: h100-pcie-measured-mem-bw
LANES = 32  # fact: cc-all-warp-size

PREDICT = {"ask": "Every warp has one 4-byte load per lane in flight. With 16 warps on each SM of an H100 PCIe: what share of the bandwidth, in per cent?",
           "at": {"warps": 16}, "unit": "%"}
LEFT_OUT = ("That latency grows as memory gets busy, so that the corner is round; loads that wait for one another's result; caches; and how "
            "many loads a scheduler can have open. Latency, clock and bandwidth are one measurement of one H100 PCIe.")


def simulate(
    warps: Annotated[int, [1, 2, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64], "warps", "Resident on each SM"] = 8,
    loads: Annotated[int, [1, 2, 4, 8], "loads", "In flight in each thread"] = 1,
    size: Annotated[int, [4, 8, 16], "bytes", "Each load of a lane"] = 4,
):
    flying = SMS * warps * loads * LANES * size
    needed = bytes_to_fill()
    rate = bandwidth(flying)
    share = round(100 * rate / BANDWIDTH, 1)
    per_warp = loads * LANES * size
    says = (f"{many(warps, 'warp')} x {many(loads, 'load')} x {size} bytes put {flying / 1000:,.0f} kB in flight, of {needed / 1000:.0f} kB that fill the pipe: "
            f"at most {rate:,.0f} GB/s, {share:g} %. {needed / SMS / per_warp:.1f} warps like these would fill it.")
    table = [["", "value", "unit"], ["in flight", flying, "bytes"], ["needed", round(needed), "bytes"], ["reached", round(rate), "GB/s"],
             ["bandwidth", BANDWIDTH, "GB/s"], ["warps needed per SM", round(needed / SMS / per_warp, 1), "warps"]]
    return {"svg": picture(warps, per_warp, share), "table": table, "result": share, "says": says}


def many(count, word):
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def bytes_to_fill():
    """Little's law: bandwidth x latency."""
    return BANDWIDTH * 1e9 * LATENCY / (CLOCK * 1e6)


def bandwidth(flying):
    """GB/s: what is in flight arrives once per latency, and never faster than memory can."""
    return min(BANDWIDTH, flying / (LATENCY / (CLOCK * 1e6)) / 1e9)


def picture(warps, per_warp, share):
    def at(resident):
        reached = bandwidth(SMS * resident * per_warp) / BANDWIDTH
        return 44 + resident * 5.3, 190 - reached * 160

    full = bytes_to_fill() / SMS / per_warp
    corner = min(full, 64)
    (x1, y1), (x, y), (xe, ye) = at(corner), at(warps), at(64)
    ticks = "".join(f'<text class="mid" x="{44 + n * 5.3:.0f}" y="206">{n}</text>' for n in (0, 8, 16, 24, 32, 40, 48, 56, 64))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 228"><path class="line" d="M44 30V190H388"/><path class="muted-line dash" d="M44 30H388"/>'
            f'<path class="cool-line" d="M44 190L{x1:.1f} {y1:.1f}"/><path class="hot-line" d="M{x1:.1f} {y1:.1f}L{xe:.1f} {ye:.1f}"/>'
            f'<circle class="{"hot" if share >= 100 else "cool"}" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
            f'<g class="small muted"><text class="end" x="38" y="34">100%</text><text class="end" x="38" y="114">50%</text><text class="end" x="38" y="194">0</text>'
            f'{ticks}<text class="mid" x="214" y="224">resident warps per SM</text></g></svg>')
