"""One attention head twice: scores in HBM, then tiles with an online softmax."""
from math import exp, inf, sqrt
from random import Random

N, D, BYTES = 128, 16, 2  # tokens, head size, bytes per element
rng = Random(7)
Q, K, V = ([[rng.gauss(0, 1) for _ in range(D)] for _ in range(N)] for _ in range(3))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def standard():
    """Three kernels: S = QK', P = softmax(S), O = PV; S and P go through HBM."""
    S = [[dot(q, k) / sqrt(D) for k in K] for q in Q]
    weights = [[exp(s - top) for s in row] for row in S for top in [max(row)]]
    P = [[w / total for w in row] for row in weights for total in [sum(row)]]
    out = [[dot(p, column) for column in zip(*V)] for p in P]
    moved = 4 * N * D + 4 * N * N  # Q, K, V, O once; S and P each out and back
    return out, moved * BYTES, N * N


# --8<-- [start:tiles]
Q_ROWS, K_ROWS = 32, 32  # tile heights: change them


def tiled():
    """One kernel: scores live in a tile, each row of O is written once."""
    out, moved, exps = [], 0, 0
    for i in range(0, N, Q_ROWS):
        q_tile = Q[i : i + Q_ROWS]
        moved += 2 * len(q_tile) * D  # read this Q tile, later write its O
        top, total = [-inf] * len(q_tile), [0.0] * len(q_tile)  # running max and sum
        acc = [[0.0] * D for _ in q_tile]  # output, not yet divided by total
        for j in range(0, N, K_ROWS):
            k_tile, v_tile = K[j : j + K_ROWS], V[j : j + K_ROWS]
            moved += 2 * len(k_tile) * D  # K and V again, for every Q tile
            for r, q in enumerate(q_tile):  # a GPU does these rows at once
                s = [dot(q, k) / sqrt(D) for k in k_tile]
                new_top = max(top[r], *s)
                fix = exp(top[r] - new_top)  # bring old sums to the new maximum
                p = [exp(x - new_top) for x in s]
                exps += 1 + len(p)
                total[r] = total[r] * fix + sum(p)
                acc[r] = [a * fix + dot(p, v) for a, v in zip(acc[r], zip(*v_tile))]
                top[r] = new_top
        out += [[a / total[r] for a in acc[r]] for r in range(len(q_tile))]
    return out, moved * BYTES, exps
# --8<-- [end:tiles]


(want, *plain), (got, *tiles) = standard(), tiled()
error = max(abs(a - b) for x, y in zip(want, got) for a, b in zip(x, y))
print(f"tiles of {Q_ROWS} Q rows and {K_ROWS} K rows")
print("                 standard      tiled   ratio")
rows = zip([*plain, N * N], [*tiles, Q_ROWS * K_ROWS])
for name, (a, b) in zip(["HBM bytes", "exponentials", "scores held"], rows):
    print(f"{name:12} {a:>12,} {b:>10,} {b / a:>7.2f}")
print("same answer to 12 decimals:", error < 1e-12)
