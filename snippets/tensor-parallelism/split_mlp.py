"""An MLP split over ranks: which sums are needed to stay exact."""
import random
from math import erf, sqrt

random.seed(1)

# --8<-- [start:plan]
RANKS = 4  # 2, 4 or 8
PLANS = [("columns", "rows"), ("rows", "columns")]
SUM_AT = "before GELU"  # or "after GELU", where rows come first
BIAS_ON = "one rank"  # or "every rank", before the last sum
# --8<-- [end:plan]
TOKENS, HIDDEN, WIDE = 2, 8, 32


def matrix(height, width):
    return [[random.uniform(-1, 1) for _ in range(width)]
            for _ in range(height)]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column))
             for column in zip(*b)] for row in a]


def gelu(a):
    return [[v * (1 + erf(v / sqrt(2))) / 2 for v in row] for row in a]


def columns(a, rank):
    size = len(a[0]) // RANKS
    return [row[rank * size : (rank + 1) * size] for row in a]


def rows(a, rank):
    size = len(a) // RANKS
    return a[rank * size : (rank + 1) * size]


def all_reduce(parts):
    return [[sum(values) for values in zip(*lines)]
            for lines in zip(*parts)]


def all_gather(parts):
    return [sum(lines, []) for lines in zip(*parts)]


def split_mlp(plan, x, a, b):
    """The output without its bias, and what each rank communicates."""
    if plan == ("columns", "rows"):
        hidden = [gelu(product(x, columns(a, r))) for r in range(RANKS)]
        out = all_reduce(product(h, rows(b, r)) for r, h in enumerate(hidden))
        return out, f"{TOKENS * HIDDEN} values summed"
    parts = [product(columns(x, r), rows(a, r)) for r in range(RANKS)]
    if SUM_AT == "before GELU":
        hidden = gelu(all_reduce(parts))
    else:
        hidden = all_reduce([gelu(part) for part in parts])
    out = all_gather(product(hidden, columns(b, r)) for r in range(RANKS))
    return out, f"{TOKENS * WIDE} values summed, {TOKENS * HIDDEN} gathered"


x, a, b = matrix(TOKENS, HIDDEN), matrix(HIDDEN, WIDE), matrix(WIDE, HIDDEN)
whole = product(gelu(product(x, a)), b)
for plan in PLANS:
    out, sent = split_mlp(plan, x, a, b)
    summed_bias = BIAS_ON == "every rank" and plan[1] == "rows"
    extra = 10 * (RANKS - 1) if summed_bias else 0  # a bias of 10
    error = max(abs(v + extra - w) for line, right in zip(out, whole)
                for v, w in zip(line, right))
    verdict = "exact" if error < 1e-9 else f"off by {error:.2f}"
    print(f"{plan[0]} then {plan[1]}: {sent}: {verdict}")
