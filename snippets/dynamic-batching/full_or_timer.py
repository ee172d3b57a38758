"""One model instance with a full-or-timer batcher on one fixed arrival trace."""
from math import inf

# The trace: milliseconds between arrivals, with bursts and lulls; repeated.
GAPS = [1, 0, 2, 9, 1, 1, 0, 5, 3, 1, 0, 0, 14, 2, 1, 4, 1, 0, 8, 3] * 20


def arrivals(stretch):
    """Arrival times of the trace with every gap multiplied by `stretch`."""
    t, times = 0.0, []
    for gap in GAPS:
        t += gap * stretch
        times.append(t)
    return times


# --8<-- [start:batcher]
# Assumptions: a step takes FIXED + EACH x batch milliseconds.
FIXED, EACH = 5.0, 0.5
POLICIES = [(1, 0), (8, 0), (8, 2), (8, 5), (8, 20)]  # max batch, max delay in ms


def serve(times, max_batch, max_delay):
    """Latencies and batch sizes; a batch leaves when full or when the timer fires."""
    free, i, latencies, sizes = 0.0, 0, [], []
    while i < len(times):
        last = i + max_batch - 1
        full = times[last] if last < len(times) else inf
        timer = times[i] + max_delay  # the oldest request has waited enough
        start = max(free, min(full, timer))
        batch = [t for t in times[i : i + max_batch] if t <= start]
        free = start + FIXED + EACH * len(batch)
        latencies += [free - t for t in batch]
        sizes.append(len(batch))
        i += len(batch)
    return latencies, sizes, free
# --8<-- [end:batcher]


for name, stretch in [("busy", 0.75), ("medium", 2), ("quiet", 10)]:
    times = arrivals(stretch)
    print(f"{name}: {len(times) / times[-1] * 1000:.0f} requests/s arrive")
    print("size delay | mean batch  done/s  GPU busy   p50 ms   p99 ms")
    for max_batch, max_delay in POLICIES:
        lat, sizes, end = serve(times, max_batch, max_delay)
        lat.sort()
        busy = sum(FIXED + EACH * n for n in sizes) / end
        p50, p99 = lat[len(lat) // 2], lat[len(lat) * 99 // 100]
        print(f"{max_batch:4} {max_delay:5} | {len(lat) / len(sizes):10.1f}"
              f"  {len(lat) / end * 1000:6.0f}  {busy:8.0%}  {p50:7.1f}  {p99:7.1f}")
