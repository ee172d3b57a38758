"""One server and its queue, event by event: against the closed forms, then with batches."""
from collections import deque
from heapq import heappop, heappush
from math import log
from random import Random
from statistics import fmean, stdev

rng = Random(7)
ARRIVES, FINISHES = 0, 1


def simulate(rate, duration, limit=1, requests=50_000):
    """Each request's time in the system, and the busy share; arrivals are random, `rate` per unit of time."""
    events, queue, inside = [(rng.expovariate(rate), ARRIVES)], deque(), []
    times, busy, now = [], 0.0, 0.0
    while len(times) < requests:
        now, kind = heappop(events)
        if kind == ARRIVES:
            queue.append(now)
            heappush(events, (now + rng.expovariate(rate), ARRIVES))
        else:
            times += [now - arrived for arrived in inside]
            inside = []
        if queue and not inside:
            inside = [queue.popleft() for _ in range(min(limit, len(queue)))]
            took = duration(len(inside))
            busy += took
            heappush(events, (now + took, FINISHES))
    return times, busy / now


def p99(times):
    return sorted(times)[len(times) * 99 // 100]


# --8<-- [start:single]
def mixed(_):  # mean 1: nine short requests to every long one
    return 0.5 if rng.random() < 0.9 else 5.5


EXPONENTIAL = ("exponential", lambda _: rng.expovariate(1), 1.0)
CONSTANT = ("constant", lambda _: 1.0, 0.0)  # last: variance over mean squared
MIXED = ("mixed", mixed, 2.25)
CASES = [(load, *EXPONENTIAL) for load in (0.5, 0.7, 0.8, 0.9)]
CASES += [(0.8, *CONSTANT), (0.8, *MIXED)]

print("service      load   mean time    formula      p99  formula")
for load, name, service, spread in CASES:
    times, _ = simulate(load, service)
    parts = [fmean(times[i : i + 2500]) for i in range(0, len(times), 2500)]
    error = 2 * stdev(parts) / len(parts) ** 0.5
    formula = 1 + load / (1 - load) * (1 + spread) / 2  # Pollaczek-Khinchine
    tail = f"{log(100) / (1 - load):9.1f}" if name == "exponential" else ""
    print(f"{name:12} {load:4} {fmean(times):6.2f} +-{error:5.2f} {formula:8.2f} {p99(times):8.1f}{tail}")
# --8<-- [end:single]

# --8<-- [start:batch]
LIMIT = 16  # requests in one step
FIXED, EACH = 0.9, 0.1  # a step of one takes 1 unit of time, as above
CAPACITY = LIMIT / (FIXED + EACH * LIMIT)

print(f"\nbatches up to {LIMIT}: at most {CAPACITY:.1f} a unit of time")
print("arrivals  of capacity  busy  mean time   p99")
for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.95):
    times, busy = simulate(share * CAPACITY, lambda size: FIXED + EACH * size, LIMIT, 20_000)
    print(f"{share * CAPACITY:8.2f} {share:12.0%} {busy:5.0%} {fmean(times):10.2f} {p99(times):5.1f}")
# --8<-- [end:batch]
