"""Two identical kernels on a GPU whose clock settles: three orders of measurement, three verdicts."""
from math import exp
from random import Random
from statistics import median

# --8<-- [start:orders]
RUNS = 40  # of each kernel
WARM_UP = 0  # runs thrown away first
orders = {
    "A A ... B B ...": "A" * RUNS + "B" * RUNS,
    "A B A B ...": "AB" * RUNS,
    "B B ... A A ...": "B" * RUNS + "A" * RUNS,
}


def clock(run):
    """Assumed: the boost clock falls by 6 % while the chip heats up."""
    return 1.0 - 0.06 * (1 - exp(-run / 25))
# --8<-- [end:orders]


def measure(order, rng):
    """Run times in ms; A and B are the same kernel."""
    times = {"A": [], "B": []}
    for run, kernel in enumerate(order, start=WARM_UP):
        times[kernel].append(2.0 / clock(run) * rng.lognormvariate(0, 0.004))
    return times


def resampled(times, rng):
    """A 95 % interval of the gain of B over A, by resampling both lists of runs."""
    gains = sorted(median(rng.choices(times["A"], k=RUNS)) / median(rng.choices(times["B"], k=RUNS)) - 1
                   for _ in range(400))
    return gains[10], gains[-11]


print("order              A ms   B ms  B faster by    interval")
for name, order in orders.items():
    rng = Random(1)
    times = measure(order, rng)
    a, b = median(times["A"]), median(times["B"])
    low, high = resampled(times, rng)
    print(f"{name:16} {a:6.3f} {b:6.3f} {a / b - 1:+12.1%}   {low:+.1%} to {high:+.1%}")
