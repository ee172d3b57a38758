"""Four causes of poor scaling, and what four measurements show for each."""

# --8<-- [start:causes]
RANKS = 64
HEALTHY = {
    "compute": 100.0,  # ms per micro-batch of 8 samples, one GPU
    "fixed": 6.0,  # ms per step that a smaller batch does not save
    "samples": 8,  # per GPU and step
    "load": 60.0,  # ms to prepare a batch, overlapped
    "wire": 80.0,  # ms of gradient traffic, if all start at once
    "hidden": 0.65,  # share of compute that can hide traffic
    "slow_ranks": {},  # rank: how many times slower it computes
}
CAUSES = {
    "healthy": {},
    "slow fabric": {"wire": 140.0},
    "starved input": {"load": 170.0},
    "one slow GPU": {"slow_ranks": {17: 1.5}},
    "tiny batch": {"samples": 1, "load": 8.0},
    # try two at once, or a rank that is slow AND a slow fabric
}
# --8<-- [end:causes]


def step(job, ranks, real_data=True, sync=True):
    """Milliseconds of one step, and how far apart ranks arrive."""
    work = job["fixed"] + job["compute"] * job["samples"] / 8
    arrive = []
    for rank in range(ranks):
        compute = work * job["slow_ranks"].get(rank, 1)
        load = job["load"] if real_data and ranks > 1 else 0
        arrive.append(max(compute, load))
    exposed = max(0, job["wire"] - job["hidden"] * work) if sync else 0
    ordered = sorted(arrive)
    spread = ordered[-1] - ordered[len(ordered) // 2]
    together = ordered[-1] if sync else ordered[len(ordered) // 2]
    return together + (exposed if ranks > 1 else 0), spread


print("ms per step; samples/s of one GPU alone")
print(f"{'':<14}{'all':>6}{'1 GPU':>7}{'cached':>8}{'no sync':>9}"
      f"{'spread':>8}{'alone':>7}")
for name, change in CAUSES.items():
    job = HEALTHY | change
    everything, spread = step(job, RANKS)
    alone, _ = step(job, 1)
    cached, _ = step(job, RANKS, real_data=False)
    silent, _ = step(job, RANKS, sync=False)
    speed = job["samples"] / alone * 1e3
    print(f"{name:<14}{everything:>6.0f}{alone:>7.0f}{cached:>8.0f}"
          f"{silent:>9.0f}{spread:>8.0f}{speed:>7.0f}")
