"""Which stage made the slowest requests slower? Tail against tail."""
import random

# --8<-- [start:causes]
TAIL = "total"  # whose slowest 1%: "total", "TTFT" or "TPOT"
# What a cause does to a request: times the usual value, or (share
# of requests, milliseconds added). All of it assumed.
CAUSES = {
    "more traffic": {"queue": 8, "step": 1.2},
    "long prompts": {"queue": 1.5, "prefill": 5, "step": 1.1},
    "long answers": {"queue": 1.3, "answer": 1.6},
    "low clocks": {"queue": 2, "prefill": 1.4, "step": 1.1},
    "preemptions": {"queue": 1.5, "stall": (0.05, 4000)},
    "gateway": {"ingress": (0.03, 5000)},
    # add one: a slow tokenizer, a cold replica, two at once ...
}
# --8<-- [end:causes]
STAGES = ["ingress", "queue", "prefill", "decode"]
METRICS = {
    "total": lambda r: sum(r[stage] for stage in STAGES),
    "TTFT": lambda r: r["ingress"] + r["queue"] + r["prefill"],
    "TPOT": lambda r: r["decode"] / r["answer"],
}


def serve(change, requests=6000):
    """One day: milliseconds per stage and answer tokens, per request."""
    draw, day = random.Random(7), []
    for _ in range(requests):
        r = {"ingress": 10 + draw.expovariate(1 / 10),
             "queue": draw.expovariate(1 / 60),
             "prefill": 0.1 * draw.lognormvariate(7, 0.6),
             "answer": draw.lognormvariate(5, 0.5),
             "step": draw.gauss(15, 0.5), "stall": 0}
        lot = draw.random()
        for part, effect in change.items():
            if isinstance(effect, tuple):
                r[part] += effect[1] * (lot < effect[0])
            else:
                r[part] *= effect
        r["decode"] = r["answer"] * r["step"] + r["stall"]
        day.append(r)
    return day


def look(day):
    """p99 of each metric, mean stage times of the slowest 1% by TAIL."""
    cut = int(0.99 * len(day))
    p99 = {name: sorted(map(of, day))[cut] for name, of in METRICS.items()}
    slow = sorted(day, key=METRICS[TAIL])[cut:]
    return p99, [sum(r[s] for r in slow) / len(slow) for s in STAGES]


p99, usual = look(serve({}))
print(f"{'p99, ms':<13}{'TTFT':>6}{'TPOT':>6}"
      + "".join(f"{stage:>8}" for stage in STAGES))
print(f"{'usual day':<13}{p99['TTFT']:>6.0f}{p99['TPOT']:>6.0f}"
      + "".join(f"{mean:>8.0f}" for mean in usual))
for name, change in CAUSES.items():
    p99, slow = look(serve(change))
    print(f"{name:<13}{p99['TTFT']:>6.0f}{p99['TPOT']:>6.0f}"
          + "".join(f"{round(b - a):>+8}" for a, b in zip(usual, slow)))
