"""One batching server, two load generators with the same throughput, two different tails."""
from heapq import heapify, heappop, heappush
from random import Random

SECONDS = 600
LIMIT, FIXED, EACH = 32, 8.0, 0.5  # a step takes FIXED + EACH x batch milliseconds


def serve(arrivals, pause, every, answered):
    """Latencies in ms; `answered(now)` gives the next arrival a reply causes, or None."""
    waiting, free, latencies = list(arrivals), 0.0, []
    heapify(waiting)
    while waiting and waiting[0] < SECONDS * 1000:
        start = max(free, waiting[0])
        if start > every and start % every < pause:  # the server stands still
            start += pause - start % every
        batch = []
        while waiting and waiting[0] <= start and len(batch) < LIMIT:
            batch.append(heappop(waiting))
        free = start + FIXED + EACH * len(batch)
        latencies += [free - sent for sent in batch]
        for _ in batch:
            if (after := answered(free)) is not None:
                heappush(waiting, after)
    return sorted(latencies)


# --8<-- [start:tests]
CLIENTS, THINK = 8, 60.0  # each client: send, wait for the answer, think (ms)
PAUSE, EVERY = 1_000, 30_000  # the server stops for 1 s every 30 s

rng = Random(3)


def think(now):
    return now + rng.expovariate(1 / THINK)


closed = serve([think(0) for _ in range(CLIENTS)], PAUSE, EVERY, think)

rate = len(closed) / SECONDS  # send at the rate that the first test reached
sent, plan = 0.0, []
while sent < SECONDS * 1000:
    sent += rng.expovariate(rate / 1000)
    plan.append(sent)
opened = serve(plan, PAUSE, EVERY, lambda now: None)  # nobody waits for answers
# --8<-- [end:tests]

print("load test   per s   p50   p99  p99.9  over 200 ms")
for name, times in ((f"{CLIENTS} clients", closed), ("schedule", opened)):
    cut = [times[int(len(times) * q)] for q in (0.5, 0.99, 0.999)]
    slow = sum(t > 200 for t in times) / len(times)
    print(f"{name:10} {len(times) / SECONDS:6.0f}"
          f" {cut[0]:5.0f} {cut[1]:5.0f} {cut[2]:6.0f} {slow:12.2%}")
