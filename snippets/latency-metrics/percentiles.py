"""TTFT, TPOT and inter-token gaps of a few streams, then percentiles over two replicas."""
from itertools import pairwise
from random import Random


def percentile(values, p):
    """Nearest rank: the smallest value that at least p% of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * p // 100) - 1)]


# --8<-- [start:streams]
# Milliseconds: when the request was sent, when each token arrived.
smooth = (0, [200 + 20 * i for i in range(101)])
stalled = (0, [200 + 15 * i + (500 if i > 60 else 0) for i in range(101)])
queued = (0, [1700 + 5 * i for i in range(101)])

print("          TTFT   TPOT  largest gap  p99 gap    end")
for name, (sent, tokens) in [("smooth", smooth), ("stalled", stalled), ("queued", queued)]:
    ttft = tokens[0] - sent
    tpot = (tokens[-1] - tokens[0]) / (len(tokens) - 1)
    gaps = [b - a for a, b in pairwise(tokens)]
    print(f"{name:8} {ttft:5} {tpot:6.1f} {max(gaps):12} {percentile(gaps, 99):8} {tokens[-1] - sent:6}")
# --8<-- [end:streams]

# --8<-- [start:replicas]
rng = Random(5)
REQUESTS = {"fast": 9700, "slow": 300}  # what each replica served
MEDIAN = {"fast": 200, "slow": 900}  # ms to the first token
ttft = {name: [MEDIAN[name] * rng.lognormvariate(0, 0.4) for _ in range(n)]
        for name, n in REQUESTS.items()}
merged = [value for values in ttft.values() for value in values]

print("\nTTFT, ms       p50    p95    p99")
rows = dict(ttft, all=merged)
for name, values in rows.items():
    print(f"{name:10}", *(f"{percentile(values, p):6.0f}" for p in (50, 95, 99)))
for name, weight in [("average", {"fast": 1, "slow": 1}), ("weighted", REQUESTS)]:
    means = [sum(percentile(ttft[r], p) * weight[r] for r in ttft) / sum(weight.values())
             for p in (50, 95, 99)]
    print(f"{name:10}", *(f"{mean:6.0f}" for mean in means))
# --8<-- [end:replicas]

BUCKETS = [100, 250, 500, 750, 1000, 1500, 2500, 5000]  # upper edges, ms


def from_buckets(counts, p):
    """Interpolate inside the bucket that holds the rank."""
    rank, low, below = sum(counts) * p / 100, 0, 0
    for edge, count in zip(BUCKETS, counts):
        if below + count >= rank:
            return low + (edge - low) * (rank - below) / count
        low, below = edge, below + count
    return low


per_replica = [[sum(low < v <= high for v in values) for low, high in zip([0, *BUCKETS], BUCKETS)]
               for values in ttft.values()]
added = [sum(column) for column in zip(*per_replica)]
print(f"{'buckets':10}", *(f"{from_buckets(added, p):6.0f}" for p in (50, 95, 99)))
for limit in (500, 1000):
    print(f"within {limit:4} ms: {sum(v <= limit for v in merged) / len(merged):.1%}")
