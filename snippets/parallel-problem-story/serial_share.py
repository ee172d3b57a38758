"""Speedup, efficiency and the serial share that a scaling curve implies (Karp and Flatt)."""

# --8<-- [start:runs]
# Seconds by number of devices, for a problem of fixed size.
# Both are made up from a formula, so that you know the truth.
runs = {
    "serial part": {n: 3 + 97 / n for n in (1, 2, 4, 8)},
    "growing exchange": {n: 100 / n + 0.375 * (n - 1) for n in (1, 2, 4, 8)},
}
# runs["mine"] = {1: ..., 2: ..., 4: ..., 8: ...}
# --8<-- [end:runs]


def serial_share(times, n):
    """The share of the one-device time that would explain the run on n devices by Amdahl's law."""
    return (times[n] / times[1] - 1 / n) / (1 - 1 / n)


for name, times in runs.items():
    print(f"{name}\n devices   time  speedup  efficiency  serial share")
    for n, time in times.items():
        speedup = times[1] / time
        share = f"{serial_share(times, n):14.2%}" if n > 1 else ""
        print(f"{n:8} {time:6.1f} {speedup:8.2f} {speedup / n:11.0%}{share}")
    last = max(times)
    share = serial_share(times, last)
    print(f" Amdahl from n={last}: n=64 takes {times[1] * (share + (1 - share) / 64):.1f}\n")

print("the formulas at 64:", f"{3 + 97 / 64:.1f} and {100 / 64 + 0.375 * 63:.1f}")
