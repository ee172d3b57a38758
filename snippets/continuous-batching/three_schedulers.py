"""One trace of generations under three admission rules: static, dynamic and continuous batching."""
from math import inf
from random import Random

# --8<-- [start:rules]
ANSWERS = [10, 20, 40, 80, 400]  # tokens; each request draws one of these
SLOTS = 16  # sequences that fit into memory at once
FIXED, EACH = 6.0, 0.02  # a step takes FIXED + EACH x its tokens, in ms
WAIT = 100.0  # ms, for the dynamic rule's timer

# How many waiting requests may join before the next step?


def static(now, waiting, running, more):  # a full batch, and all finish first
    return SLOTS if not running and (len(waiting) >= SLOTS or not more) else 0


def dynamic(now, waiting, running, more):  # full or timer, and all finish first
    due = waiting and now >= waiting[0][0] + WAIT
    return SLOTS if not running and (len(waiting) >= SLOTS or due) else 0


def continuous(now, waiting, running, more):  # at every step, into free slots
    return SLOTS - len(running)
# --8<-- [end:rules]


def serve(trace, rule, early):
    """Per request (arrival, first token, end), the end, the mean of live slots; `early`: leave when done, not together."""
    todo, waiting, running, done, now, steps = list(trace), [], [], [], 0.0, []
    while len(done) < len(trace):
        while todo and todo[0][0] <= now:
            waiting.append(todo.pop(0))
        take = rule(now, waiting, running, bool(todo))
        running += [{"of": waiting.pop(0), "made": 0} for _ in range(min(take, len(waiting)))]
        if not running:  # idle: on to the next arrival or the timer
            timer = waiting[0][0] + WAIT if waiting and rule is dynamic else inf
            now = min(timer, todo[0][0] if todo else inf)
            continue
        live = [r for r in running if r["made"] < r["of"][2]]
        now += FIXED + EACH * sum(1 if r["made"] else r["of"][1] for r in live)
        for r in live:  # one token each; the first comes with the whole prompt
            r["made"] += 1
            r.setdefault("first", now)
        steps.append(len(live))
        over = [r for r in running if r["made"] == r["of"][2]]
        if early or len(over) == len(running):
            running = [r for r in running if r["made"] < r["of"][2]]
            done += [(r["of"][0], r["first"] if early else now, now) for r in over]
    assert sum(steps) == sum(answer for _, _, answer in trace)  # no token lost, none made twice
    assert all(arrival < first <= end for arrival, first, end in done)
    return done, now, sum(steps) / len(steps)


def mean_p99(times):
    ordered = sorted(times)
    return f"{sum(ordered) / len(ordered) / 1000:6.2f} {ordered[len(ordered) * 99 // 100] / 1000:6.2f}"


for load, gap in [("steady", 200), ("all at once", 0)]:
    rng, t, trace = Random(3), 0.0, []
    for _ in range(300):
        t += gap * rng.expovariate(1)
        trace.append((t, rng.randint(20, 300), rng.choice(ANSWERS)))  # ms, prompt, answer
    print(f"{load}: {len(trace)} requests, {sum(a for _, _, a in trace)} tokens")
    print("            first token, s   answer, s   live  tokens")
    print("              mean    p99   mean    p99  slots     /s")
    for rule in (static, dynamic, continuous):
        done, end, live = serve(trace, rule, rule is continuous)
        print(f"{rule.__name__:11}", mean_p99(f - a for a, f, _ in done), mean_p99(e - a for a, _, e in done),
              f"{live:6.1f} {sum(a for _, _, a in trace) / end * 1000:6.0f}")
