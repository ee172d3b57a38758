"""Rank latency levers by what they buy at the median and at the 99th percentile."""
from random import Random

rng = Random(11)
REQUESTS = 20_000


def request():
    """Assumed traffic: (queue ms, prompt tokens, cached share, answer tokens, ms per token)."""
    busy = rng.random() < 0.04  # a few arrive in a burst
    queue = rng.expovariate(1 / 2500) if busy else rng.expovariate(1 / 15)
    prompt = min(16_000, rng.lognormvariate(6.9, 0.9))
    answer = min(600, rng.lognormvariate(4.4, 0.6))
    return queue, prompt, rng.random() < 0.5, answer, 10 if busy else 9


traffic = [request() for _ in range(REQUESTS)]


# --8<-- [start:levers]
def stages(queue, prompt, hit, answer, pace, *, wait=1, prefill=1, decode=1, reuse=0, cap=600):
    """Milliseconds in the queue, in prefill and in decode."""
    tokens = prompt * (1 - reuse * hit)
    return queue * wait, tokens * 0.06 * prefill, min(answer, cap) * pace * decode


TOGETHER = ["half the queue wait", "4-bit weights"]
levers = {  # assumed effects: replace them by what you measured
    "half the queue wait": dict(wait=0.5),
    "FP8 arithmetic": dict(prefill=0.6, decode=0.8),
    "4-bit weights": dict(decode=0.6),
    "compiled engine": dict(decode=0.9),
    "prefix cache": dict(reuse=0.8),
    "answers capped at 300": dict(cap=300),
}
# --8<-- [end:levers]


def cut(knobs, q):
    """The nearest-rank percentile of the whole request, in ms."""
    totals = sorted(sum(stages(*r, **knobs)) for r in traffic)
    return totals[int(REQUESTS * q)]


base = {q: cut({}, q) for q in (0.5, 0.99)}
print(f"today: p50 {base[0.5]:.0f} ms, p99 {base[0.99]:.0f} ms")
slow = sorted(traffic, key=lambda r: sum(stages(*r)))
for name, group in (("middle 2%", slow[9800:10200]), ("slowest 1%", slow[-200:])):
    means = [sum(part) / len(group) for part in zip(*(stages(*r) for r in group))]
    print(f"{name:11} queue {means[0]:5.0f}  prefill {means[1]:4.0f}  decode {means[2]:5.0f}")

print("\nlever alone              ms off p50  ms off p99")
for name, knobs in sorted(levers.items(), key=lambda item: cut(item[1], 0.99)):
    print(f"{name:24} {base[0.5] - cut(knobs, 0.5):10.0f} {base[0.99] - cut(knobs, 0.99):11.0f}")

both = {key: value for name in TOGETHER for key, value in levers[name].items()}
apart = sum(base[0.99] - cut(levers[name], 0.99) for name in TOGETHER)
print(f"{' + '.join(TOGETHER)}: {base[0.99] - cut(both, 0.99):.0f} off p99, not {apart:.0f}")
