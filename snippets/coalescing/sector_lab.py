"""Which 32-byte sectors of memory one load of a warp touches, and how much of what moves is used."""

from typing import Annotated

LANES = 32  # fact: cc-all-warp-size
SECTOR = 32  # fact: cc-all-min-transaction

PREDICT = {"ask": "Each lane reads one 4-byte float, at a stride of 2 floats. How many sectors does the warp touch?",
           "at": {"stride": 2}, "unit": "sectors"}
LEFT_OUT = ("Caches: what a neighboring warp or a later load finds there costs no second trip. Also masked lanes, and the order in which "
            "memory serves the sectors.")


def simulate(
    stride: Annotated[int, range(1, 34), "elements", "From one lane to the next"] = 1,
    offset: Annotated[int, [0, 1, 2, 4], "elements", "The first lane starts at"] = 0,
    size: Annotated[int, [4, 8, 16], "bytes", "Each lane loads"] = 4,
):
    used = bytes_used(stride, offset, size)
    moved, wanted = len(used) * SECTOR, LANES * size
    least = wanted // SECTOR
    says = (f"Stride {stride}, start at element {offset}: {len(used)} sectors of {SECTOR} bytes move for {wanted} bytes wanted, "
            f"a use of {100 * wanted / moved:.3g}%. {least} would do." if len(used) > least else
            f"Stride {stride}, start at element {offset}: {len(used)} sectors of {SECTOR} bytes, and every byte is used.")
    table = [["", "bytes", "sectors"], ["wanted", wanted, least], ["moved", moved, len(used)], ["moved for nothing", moved - wanted, len(used) - least]]
    return {"svg": picture(used), "table": table, "result": len(used), "says": says}


def bytes_used(stride, offset, size):
    """Sector number → how many of its bytes some lane wants."""
    used = {}
    for lane in range(LANES):
        first = (offset + lane * stride) * size
        for byte in range(first, first + size):
            used[byte // SECTOR] = used.get(byte // SECTOR, 0) + 1
    return used


def picture(used):
    """Memory from left to right and down, one cell per sector; a filled cell moves, its height is the share that is used."""
    columns, cell = 24, 15.5
    last = max(used)
    shown = [sector for sector in range(min(last + 1, columns * 22))]
    rows = len(shown) // columns + 1
    step = min(cell, 300 / rows)
    moves, good = [], []
    for sector in shown:
        x, y = 14 + sector % columns * cell, 30 + sector // columns * step
        share = used.get(sector, 0) / SECTOR
        if share:
            tall = (step - 2) * share
            good.append(f"M{x:.0f} {y + step - 2:.0f}h13v-{tall:.1f}h-13z")
        if 0 < share < 1:
            moves.append(f"M{x:.0f} {y:.0f}h13v{step - 2 - tall:.1f}h-13z")
    parts = f'<rect class="quiet" x="12" y="28" width="374" height="{rows * step + 2:.0f}"/>'
    parts += "".join(f'<path class="{role}" d="{"".join(shapes)}"/>' for role, shapes in (("bad", moves), ("good", good)) if shapes)
    high = 30 + rows * step + 26
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {high:.0f}"><text class="strong" x="14" y="18">{len(used)} sectors move</text>'
            f'{parts}<g class="small muted"><text x="14" y="{high - 6:.0f}">a cell is 32 bytes; green: used, red: moved for nothing</text></g></svg>')
