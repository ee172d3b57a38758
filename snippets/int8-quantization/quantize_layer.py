"""One linear layer in simulated INT8, with one outlier channel among 32 in its input."""
from random import Random

# --8<-- [start:scales]
OUTLIER = 60  # channel 7 of the input is this many times larger
COVER = 1.0  # share of the largest value that the scale covers
ALPHA = 0.5  # smoothing: how much of the range moves into the weights


def quantize(row, peak):
    """Each value becomes an integer from -127 to 127, times one scale."""
    scale = COVER * peak / 127
    return [scale * max(-127, min(127, round(v / scale))) for v in row]


def per_tensor(rows):
    return [quantize(row, max(map(peak_of, rows))) for row in rows]


def per_row(rows):  # X: a scale per token, W: one per output channel
    return [quantize(row, peak_of(row)) for row in rows]


def smoothed(x, w):
    """Divide input channel c of X by s[c], multiply that of W by it: same product."""
    peaks = zip(map(peak_of, zip(*x)), map(peak_of, zip(*w)))
    s = [a**ALPHA / b ** (1 - ALPHA) for a, b in peaks]
    return [[v / k for v, k in zip(row, s)] for row in x], [[v * k for v, k in zip(row, s)] for row in w]
# --8<-- [end:scales]


def peak_of(values):
    return max(map(abs, values))


def product(x, w):
    return [[sum(a * b for a, b in zip(row, out)) for out in w] for row in x]


rng = Random(5)
X = [[rng.gauss(0, OUTLIER if c == 7 else 1) for c in range(32)] for _ in range(48)]
W = [[rng.gauss(0, size) for _ in range(32)] for size in [2 ** rng.uniform(-4, 0) for _ in range(32)]]
by_channel = [list(row) for row in zip(*per_row([list(channel) for channel in zip(*X)]))]
(SX, SW), EXACT = smoothed(X, W), product(X, W)
OTHERS = product([row[:7] + [0] + row[8:] for row in X], W)  # without channel 7

print("error of the output, as a share of what\nthe 31 ordinary channels contribute\n")
for name, x, w in [
    ("W8, per tensor", X, per_tensor(W)),
    ("W8, per output channel", X, per_row(W)),
    ("A8, per tensor", per_tensor(X), W),
    ("A8, per token", per_row(X), W),
    ("A8, per input channel (*)", by_channel, W),
    ("W8A8, token and channel", per_row(X), per_row(W)),
    ("the same, smoothed first", per_row(SX), per_row(SW)),
]:
    gaps = sum((a - b) ** 2 for pair in zip(product(x, w), EXACT) for a, b in zip(*pair))
    share = (gaps / sum(v**2 for row in OTHERS for v in row)) ** 0.5
    zeros = sum(v == 0 for row in x for v in row[:7] + row[8:]) / (48 * 31)
    print(f"{name:26}{share:6.1%}" + f"  {zeros:4.0%} became 0" * (zeros > 0))
print("(*) no integer product can apply these scales")
