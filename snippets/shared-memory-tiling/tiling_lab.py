"""What a tiled matrix product loads from global memory, for the shape of the tile that a block computes."""

from math import ceil
from typing import Annotated

ROOM = 227 * 1024  # fact: cc-9-0-smem-block

PREDICT = {"ask": "Two 4096 x 4096 FP32 matrices are multiplied in tiles of 32 x 32. How many times less is loaded than with no tiles at all?",
           "at": {"rows": 32, "columns": 32}, "unit": "times"}
LEFT_OUT = ("The L2 cache, which serves many of these loads and hides part of the difference; registers, where a second tiling happens; "
            "bank conflicts; and the store of the result.")


def simulate(
    rows: Annotated[int, [1, 2, 4, 8, 16, 32, 64, 128], "rows", "A tile of the result has"] = 16,
    columns: Annotated[int, [1, 2, 4, 8, 16, 32, 64, 128], "columns", "A tile of the result has"] = 16,
    n: Annotated[int, [1000, 4096], "rows and columns", "Each matrix"] = 4096,
    depth: Annotated[int, [8, 16, 32, 64], "columns of A", "Loaded at a time"] = 16,
):
    loaded = elements_loaded(n, rows, columns)
    less = round(elements_loaded(n, 1, 1) / loaded, 2)
    shared = 4 * depth * (rows + columns)
    fits = "fits" if shared <= ROOM else "does not fit"
    says = (f"Tiles of {rows} x {columns} load {4 * loaded / 1e9:,.2f} GB, {f'{less:,g} times less than' if less > 1 else 'as much as'} single elements: each value loaded is used "
            f"{'once' if used(rows, columns) == 1 else f'{used(rows, columns):,.3g} times'} on average. Two tiles of depth {depth} take {shared / 1024:g} KiB, which {fits} in a block of an H100.")
    table = [["tile", "loaded, GB", "uses of a value", "FLOP/byte"]]
    for r, c in dict.fromkeys([(1, 1), (rows, columns), (16, 16), (64, 64), (128, 128)]):
        bytes_loaded = 4 * elements_loaded(n, r, c)
        table.append([f"{r} x {c}", round(bytes_loaded / 1e9, 3), round(used(r, c), 2), round(2 * n**3 / bytes_loaded, 2)])
    return {"svg": picture(rows, columns), "table": table, "result": less, "says": says}


def elements_loaded(n, rows, columns):
    """Each tile of the result reads its rows of A and its columns of B once; tiles at the edge read what there is."""
    down, across = ceil(n / rows), ceil(n / columns)
    return n * n * across + n * n * down


def used(rows, columns):
    """How often a loaded value is used: a value of A meets every column of the tile, one of B every row."""
    return 2 * rows * columns / (rows + columns)


def picture(rows, columns):
    """The block's tile of C, the strip of A it reads and the strip of B, to scale for a 256 x 256 corner of the matrices."""
    tall, wide = max(1.5, rows * 0.5), max(1.5, columns * 0.5)
    def matrix(x, y, name):
        return f'<rect class="wash" x="{x}" y="{y}" width="128" height="128"/><text class="mid muted" x="{x + 64}" y="{y + 70}">{name}</text>'
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300">'
            f'{matrix(70, 160, "A")}{matrix(216, 14, "B")}{matrix(216, 160, "C")}'
            f'<rect class="cool" x="70" y="160" width="128" height="{tall:g}"/><rect class="warn" x="216" y="14" width="{wide:g}" height="128"/>'
            f'<rect class="hot" x="216" y="160" width="{wide:g}" height="{tall:g}"/>'
            '<g class="small muted"><text x="70" y="150">rows, read once</text><text class="end" x="208" y="30">columns,</text>'
            '<text class="end" x="208" y="46">read once</text></g></svg>')
