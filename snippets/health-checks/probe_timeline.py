"""What probe settings do to the traffic and restarts of one model server."""

# --8<-- [start:pods]
PORT_OPEN, MODEL_LOADED, HANG = 5, 90, 200  # seconds after the start
# A probe: what it checks, its period in seconds, failures in a row.
PORT, MODEL = ("port", 10, 3), ("model", 10, 3)  # Kubernetes' default numbers
LOAD = ("model", 10, 30)  # a budget of 300 seconds
CANARY, STUCK = ("canary", 5, 2), ("steps", 10, 6)
PODS = {
    "no probes": {},
    "ready = port open": {"readiness": PORT},
    "liveness, no startup": {"liveness": MODEL},
    "ready = model listed": {
        "startup": LOAD, "readiness": MODEL, "liveness": PORT},
    "ready = canary answered": {
        "startup": LOAD, "readiness": CANARY, "liveness": STUCK},
}
# --8<-- [end:pods]


def passes(check, age, hung):
    """Whether a check succeeds at this age; a hung GPU leaves HTTP alive."""
    if check == "port":
        return age >= PORT_OPEN
    return age >= MODEL_LOADED and not (hung and check in ("canary", "steps"))


def fresh(probes):  # a gate without a probe is open
    return {kind: kind not in probes for kind in ("startup", "readiness")}, dict.fromkeys(probes, 0)


def timeline(probes, end=420):
    """A mark for every ten seconds, the restarts, the failed requests."""
    marks, start, restarts, failed = "", 0, 0, 0
    gates, misses = fresh(probes)
    for now in range(end):
        age, hung = now - start, restarts == 0 and now >= HANG
        for kind, (check, period, limit) in probes.items():
            if age < 0 or age % period or gates["startup"] == (kind == "startup"):
                continue  # not its turn: startup first, then the others
            good = passes(check, age, hung)
            misses[kind] = 0 if good else misses[kind] + 1
            if kind != "liveness":
                gates[kind] = good or gates[kind] and misses[kind] < limit
            if kind != "readiness" and misses[kind] >= limit:
                restarts += 1  # at once, then after 10, 20, 40 ... s
                start = now + (5 * 2 ** (restarts - 1) if restarts > 1 else 0)
                gates, misses = fresh(probes)
                break
        routed = now >= start and all(gates.values())
        broken = routed and not passes("canary", now - start, hung)
        failed += broken
        if now % 10 == 9:
            marks += "x" if broken else "#" if routed else "."
    return marks, restarts, failed


print("one request a second, one mark for ten")
print("# answered   x failed   . no traffic\n")
for name, probes in PODS.items():
    marks, restarts, failed = timeline(probes)
    print(f"{name}: restarts {restarts}, failed requests {failed}\n  {marks}")
