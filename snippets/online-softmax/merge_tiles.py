"""Maximum and sum of a row's exponentials: in two passes, in one, and merged from tiles."""
from math import exp, inf, isnan
from random import Random

rng = Random(3)
SCORES = [rng.gauss(200, 3) for _ in range(64)]
FP32_MAX = 3.4028235e38  # fact: fmt-fp32-max
reads = 0

# --8<-- [start:merge]
TILE = 16
MASKED = 0  # hide this many scores at the start of the row: try 16, then 64
GUARD = True  # treat a maximum of -inf as 0


def merge(a, b):
    """Join two stretches of a row, each a pair (maximum, sum of exp(x - maximum))."""
    top = max(a[0], b[0])
    base = 0.0 if GUARD and top == -inf else top
    return top, a[1] * exp(a[0] - base) + b[1] * exp(b[0] - base)


def online(scores):
    """One pass: start from nothing and merge the scores one after the other."""
    state = (-inf, 0.0)
    for x in seen(scores):
        state = merge(state, (x, 1.0))
    return state
# --8<-- [end:merge]


def seen(scores):  # and counted as read
    global reads
    reads += len(scores)
    return scores


def two_passes(scores):
    top = max(seen(scores))
    return top, sum(exp(x - top) for x in seen(scores) if x > -inf)  # all masked: 0


def tree(states):
    """Merge neighbors until one is left, as a reduction over threads does."""
    while len(states) > 1:
        pairs = [states[i : i + 2] for i in range(0, len(states), 2)]
        states = [merge(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return states[0]


row = [-inf] * MASKED + SCORES[MASKED:]
tiles = [row[i : i + TILE] for i in range(0, len(row), TILE)]
other = rng.sample(tiles, len(tiles))
print("sum of plain exp(x) fits in FP32:", sum(map(exp, SCORES)) < FP32_MAX)
print(f"\n{'':22} reads   maximum            sum")
for name, run in {
    "two passes": lambda: two_passes(row),
    "one pass, online": lambda: online(row),
    "tiles, tree of merges": lambda: tree(list(map(online, tiles))),
    "tiles in another order": lambda: tree(list(map(online, other))),
}.items():
    reads = 0
    top, total = run()
    shown = "NaN" if isnan(total) else f"{total:.10f}"
    print(f"{name:22} {reads:5} {top:9.3f} {shown:>14}")
