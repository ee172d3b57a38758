"""What a log of step times tells before any profiler is started."""
import random
from statistics import median

# --8<-- [start:jobs]
# Milliseconds of step `i`; `r` draws random numbers.
JOBS = {
    "steady": lambda i, r: r.gauss(200, 2),
    "checkpoints": lambda i, r: r.gauss(200, 2)
    + 20_000 * (i % 500 == 499),
    "stalls": lambda i, r: r.gauss(200, 2)
    + r.expovariate(1 / 400) * (r.random() < 0.10),
    "lengths": lambda i, r: r.gauss(r.choice([120, 170, 310]), 2),
    "drift": lambda i, r: r.gauss(170 + 0.02 * i, 2),
    # your job: warm-up, evaluation, one slow hour at night ...
}
STEPS = 3000
# --8<-- [end:jobs]


def report(times):
    """Mean, median, p99, time above the median, beat, drift."""
    typical = median(times)
    mean = sum(times) / len(times)
    p99 = sorted(times)[int(0.99 * len(times))]
    slow = [i for i, t in enumerate(times) if t > 1.5 * typical]
    extra = sum(times[i] - typical for i in slow) / sum(times)
    gaps = {after - at for at, after in zip(slow, slow[1:])}
    beat = f"every {min(gaps)}" if len(gaps) == 1 else "none"
    tenth = len(times) // 10
    drift = median(times[-tenth:]) / median(times[:tenth]) - 1
    return mean, typical, p99, extra, beat, drift


print(f"{'ms per step':<12}{'mean':>6}{'median':>8}{'p99':>7}"
      f"{'extra':>7}{'beat':>11}{'drift':>8}")
for name, step in JOBS.items():
    draw = random.Random(1)
    times = [step(i, draw) for i in range(STEPS)]
    mean, typical, p99, extra, beat, drift = report(times)
    print(f"{name:<12}{mean:>6.0f}{typical:>8.0f}{p99:>7.0f}"
          f"{extra:>7.1%}{beat:>11}{drift:>+8.1%}")
