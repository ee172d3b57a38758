"""Two teams share 32 GPUs under five policies: who waits, and what is done twice."""

QUOTA, TOTAL = {"A": 16, "B": 16}, 32
JOBS = [("A", 0, 8, 10)] * 4 + [  # team, submitted at hour, GPUs, hours of work
    ("B", 3, 8, 4), ("B", 4, 8, 4), ("B", 5, 16, 3), ("B", 6, 8, 4),
    ("B", 7, 8, 4), ("B", 9, 8, 4), ("B", 10, 8, 4),
]

# --8<-- [start:policies]
# borrow: use the other team's idle quota. reclaim: take lent quota back.
# strict: a waiting job blocks younger ones of its team. save: hours between checkpoints.
POLICIES = {
    "quota only": dict(borrow=False, reclaim=False, strict=False, save=2),
    "borrow": dict(borrow=True, reclaim=False, strict=False, save=2),
    "borrow, reclaim": dict(borrow=True, reclaim=True, strict=False, save=2),
    "same, strict order": dict(borrow=True, reclaim=True, strict=True, save=2),
    "same, no checkpoint": dict(borrow=True, reclaim=True, strict=True, save=99),
}
# --8<-- [end:policies]


def run(borrow, reclaim, strict, save):
    """Rows of GPUs in use, waits per team, GPU-hours done twice."""
    jobs = [dict(team=t, at=at, gpus=g, left=h, ran=0, wait=0, on=False) for t, at, g, h in JOBS]
    rows, redone = {team: "" for team in QUOTA}, 0

    def used(team=None):
        return sum(job["gpus"] for job in jobs if job["on"] and team in (None, job["team"]))

    for now in range(40):
        blocked = set()
        for job in jobs:
            team, gpus = job["team"], job["gpus"]
            if job["on"] or job["left"] <= 0 or job["at"] > now or team in blocked:
                continue
            own = used(team) + gpus <= QUOTA[team]
            while reclaim and own and used() + gpus > TOTAL:  # evict the latest borrower
                victim = [v for v in jobs if v["on"] and used(v["team"]) > QUOTA[v["team"]]][-1]
                redone += victim["ran"] % save * victim["gpus"]
                victim.update(on=False, left=victim["left"] + victim["ran"] % save, ran=0)
            job["on"] = used() + gpus <= TOTAL and (own or borrow)
            if strict and not job["on"]:
                blocked.add(team)
        for team in QUOTA:
            rows[team] += str(used(team) // 8) if used(team) else "."
        for job in jobs:
            if job["on"]:
                job["left"], job["ran"] = job["left"] - 1, job["ran"] + 1
                job["on"] = job["left"] > 0
            elif job["left"] > 0 and job["at"] <= now:
                job["wait"] += 1
    return rows, {team: [j["wait"] for j in jobs if j["team"] == team] for team in QUOTA}, redone


print("GPUs in use, in eights, hour by hour; waits in hours\n")
for name, policy in POLICIES.items():
    rows, waits, redone = run(**policy)
    print(f"{name}: {redone} GPU-hours done twice")
    for team, row in rows.items():
        mean = sum(waits[team]) / len(waits[team])
        print(f"  {team} {row.rstrip('.'):22} mean {mean:4.1f}, longest {max(waits[team]):2}")
