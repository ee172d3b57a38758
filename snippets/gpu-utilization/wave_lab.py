"""How full the SMs are when a grid runs in waves, and what one block too many costs."""

from math import ceil
from typing import Annotated

SMS = 132  # fact: h100-sxm-sm-count

PREDICT = {"ask": "133 equal blocks, one to an SM, on the 132 SMs of an H100 SXM: what share of the block slots works, in per cent?",
           "at": {"blocks": 133}, "unit": "%"}
LEFT_OUT = ("Blocks of unequal length, which blur the steps; blocks that run faster when they have an SM to themselves; the start and the end "
            "of the kernel; and persistent kernels, which have no waves.")


def simulate(
    blocks: Annotated[int, [1, 16, 33, 66, 99, 120, 131, 132, 133, 140, 198, 263, 264, 265, 300, 330, 396, 397, 462, 528, 529, 594, 660, 661, 792, 924, 1056, 1057, 1320, 1321], "blocks", "In the grid"] = 132,
    per_sm: Annotated[int, [1, 2, 4, 8], "blocks", "Fit on an SM at once"] = 1,
    sms: Annotated[int, [108, 114, 132, 148], "SMs", "The device has"] = 132,
):
    slots = sms * per_sm
    waves = ceil(blocks / slots)
    share = round(100 * blocks / (waves * slots), 1)
    last = blocks - (waves - 1) * slots
    says = (f"{blocks:,} block{'s' if blocks > 1 else ''} on {slots:,} slots take{'s' if blocks == 1 else ''} {waves} wave{'s' if waves > 1 else ''}. The last fills {last:,} of {slots:,}; over all waves "
            f"{share:g} % of the slots work.")
    table = [["waves", "slots", "blocks in the last wave", "share of slots that work, %"], [waves, slots, last, share]]
    return {"svg": picture(blocks, slots, waves, share), "table": table, "result": share, "says": says}


def efficiency(blocks, slots):
    return blocks / (ceil(blocks / slots) * slots)


def picture(blocks, slots, waves, share):
    """The saw-tooth of the share over the number of blocks, with this grid marked."""
    most = max(1400, blocks + 20)
    def at(count, part):
        return 44 + count / most * 344, 178 - part * 150

    path = []
    for wave in range(most // slots + 1):
        (x1, y1), (x2, y2) = at(wave * slots + 1, efficiency(wave * slots + 1, slots)), at(min((wave + 1) * slots, most), efficiency(min((wave + 1) * slots, most), slots))
        path.append(f"{'L' if path else 'M'}{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}")
    x, y = at(blocks, share / 100)
    ticks = "".join(f'<text class="mid" x="{at(count, 0)[0]:.0f}" y="195">{count:,}</text>' for count in (0, 300, 600, 900, 1200))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 218"><path class="line" d="M44 28V178H392"/>'
            f'<path class="cool-line" stroke-width="1.5" d="{"".join(path)}"/><path class="muted-line dash" d="M{x:.1f} 178V{y:.1f}"/><circle class="hot" cx="{x:.1f}" cy="{y:.1f}" r="6"/>'
            f'<g class="small muted"><text class="end" x="38" y="32">100%</text><text class="end" x="38" y="107">50%</text>{ticks}<text class="mid" x="218" y="213">blocks in the grid</text></g>'
            f'<text class="small" x="52" y="16">{waves} wave{"s" if waves > 1 else ""}</text></svg>')
