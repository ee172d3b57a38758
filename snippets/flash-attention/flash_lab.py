"""The HBM traffic of attention, written out in full against computed tile by tile with a running maximum and sum."""

from math import ceil, exp, inf
from random import Random
from typing import Annotated

SIZE = 2  # bytes of a BF16 element

PREDICT = {"ask": "8,192 tokens, heads of 128, query tiles of 128 rows: how many times fewer bytes does tiled attention move than the version that writes its scores?",
           "at": {"length": 8192}, "unit": "times"}
LEFT_OUT = ("Caches, above all the L2, which serves most of the repeated reads of K and V; the backward pass; causal masks; and time. Scores are "
            "written and read in 16 bits, softmax apart from the products.")


def simulate(
    length: Annotated[int, [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536], "tokens", "Sequence"] = 4096,
    rows: Annotated[int, [16, 32, 64, 128, 256], "queries", "A tile holds"] = 128,
    width: Annotated[int, [64, 128], "elements", "A head is wide"] = 128,
):
    full, tiled = bytes_in_full(length, width), bytes_tiled(length, rows, width)
    factor, flops = round(full / tiled, 1), 4 * length**2 * width
    says = (f"Written out, one head moves {size(full)}, of which the scores are {100 * scores(length) / full:.3g}%. In tiles it moves {size(tiled)}, "
            f"{compared(factor)}, for the same {flops / 1e9:,.2f} GFLOP and no {length:,} x {length:,} matrix.")
    table = [["", "in full", "in tiles"], ["bytes", full, tiled], ["of them scores", scores(length), 0], ["FLOP/byte", round(flops / full, 1), round(flops / tiled, 1)],
             ["largest buffer, elements", length * length, rows * width + 2 * rows]]
    return {"svg": picture(length, rows, full, tiled), "table": table, "result": factor, "says": says}


def compared(factor):
    if 0.95 < factor < 1.05:
        return "about as much"
    return f"smaller by a factor of {factor:g}" if factor > 1 else f"larger by a factor of {1 / factor:.1f}"


def scores(length):
    """The matrix is written once, read and written by softmax, and read for the second product."""
    return 4 * length * length * SIZE


def bytes_in_full(length, width):
    return 4 * length * width * SIZE + scores(length)  # Q, K, V read, the output written


def bytes_tiled(length, rows, width):
    """Q and the output move once; K and V once for each tile of queries."""
    return 2 * length * width * SIZE + 2 * length * width * SIZE * ceil(length / rows)


def attention(queries, keys, values, tile):
    """One head, tile by tile of keys: what is kept is a maximum, a sum and a row of output for each query."""
    out = []
    for q in queries:
        top, total, row = -inf, 0.0, [0.0] * len(values[0])
        for first in range(0, len(keys), tile):
            part = [sum(a * b for a, b in zip(q, k)) for k in keys[first : first + tile]]
            new = max(top, *part)
            weights = [exp(score - new) for score in part]
            fade = exp(top - new)
            total = total * fade + sum(weights)
            row = [old * fade + sum(w * v[c] for w, v in zip(weights, values[first : first + tile])) for c, old in enumerate(row)]
            top = new
        out.append([value / total for value in row])
    return out


def example(length, width, seed=1):
    rng = Random(seed)
    return [[[rng.gauss(0, 3) for _ in range(width)] for _ in range(length)] for _ in range(3)]


def size(count):
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:,.3g} {unit}"
        count /= 1000


def picture(length, rows, full, tiled):
    """The score matrix with the strip that is on the chip at a time, and the two amounts as bars."""
    strip = max(1.2, 150 * min(rows, length) / length)
    wide = 150
    bar = 188 / max(full, tiled)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 216">'
            f'<rect class="quiet" x="16" y="34" width="{wide}" height="150"/><rect class="hot" x="16" y="34" width="{wide}" height="{strip:.1f}"/>'
            f'<text class="small muted" x="16" y="22">{length:,} x {length:,} scores</text><text class="small muted" x="16" y="204">copper: on the chip at a time</text>'
            f'<text x="196" y="58">in full</text><rect class="bad" x="196" y="66" width="{bar * full:.1f}" height="20"/><text class="small" x="196" y="102">{size(full)}</text>'
            f'<text x="196" y="136">in tiles</text><rect class="good" x="196" y="144" width="{bar * tiled:.1f}" height="20"/><text class="small" x="196" y="180">{size(tiled)}</text></svg>')
