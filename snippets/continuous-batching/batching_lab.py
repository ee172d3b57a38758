"""Four ways to batch one trace of requests: who waits, how long, and who is interrupted."""

from math import inf
from random import Random
from typing import Annotated

FIXED, EACH = 6.0, 0.02  # a step takes FIXED + EACH x its tokens, in ms
TIMER = 100.0  # ms that the dynamic batch waits to fill
REQUESTS = 48

PREDICT = {"ask": "All four see the same requests. Under which rule does a reader who already sees an answer wait longest for its next token?",
           "at": {}, "choices": ["static", "dynamic", "continuous", "chunked prefill"]}
LEFT_OUT = ("Reading the KV caches, which makes long answers slower; memory that runs out; padding, which makes the first two rules worse; "
            "and the network. Every answer is streamed. The cost of a step is an assumption, the same for all four.")


def simulate(
    gap: Annotated[int, [0, 20, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1000], "ms", "Between two arrivals, on average"] = 100,
    slots: Annotated[int, [4, 8, 16, 32], "answers", "Are generated at once, at most"] = 16,
    chunk: Annotated[int, [64, 128, 256, 512], "prompt tokens", "Chunked prefill takes per step"] = 128,
):
    requests = trace(gap)
    served = {rule: serve(requests, rule, slots, chunk) for rule in ("static", "dynamic", "continuous", "chunked prefill")}
    table = [["rule", "first token, mean s", "answer, mean s", "longest pause, ms", "tokens/s"]]
    for rule, done in served.items():
        table.append([rule, round(mean(first - at for at, first, *_ in done) / 1000, 2), round(mean(end - at for at, _, end, *_ in done) / 1000, 2),
                      round(max(pause for *_, pause, _ in done)), round(sum(made for *_, made in done) / max(end for _, _, end, *_ in done) * 1000)])
    worst = max(table[1:], key=lambda row: row[3])
    static, continuous = table[1][2], table[3][2]
    says = (f"Answers take {static} s on average in static batches, {continuous} s in a continuous one. The longest pause inside an answer, "
            f"{worst[3]} ms, comes with {worst[0]}{' batching' if worst[0] != 'chunked prefill' else ''}.")
    return {"svg": picture(table[1:]), "table": table, "result": worst[0], "says": says}


def trace(gap):
    """(arrival in ms, prompt tokens, answer tokens); one prompt in six is long."""
    rng, now, requests = Random(3), 0.0, []
    for _ in range(REQUESTS):
        now += gap * rng.expovariate(1)
        requests.append((now, rng.choice([60, 90, 120, 150, 200, 1500]), rng.choice([10, 20, 40, 80, 160])))
    return requests


def serve(requests, rule, slots, chunk):
    """Per request: arrival, first token, end, longest pause between two tokens, tokens. In static and dynamic batches a slot is free only when all are done."""
    together = rule in ("static", "dynamic")
    todo, waiting, running, done, now = list(requests), [], [], [], 0.0
    while len(done) < len(requests):
        while todo and todo[0][0] <= now:
            waiting.append(todo.pop(0))
        free = slots - len(running)
        if together:
            full = len(waiting) >= slots or (not todo if rule == "static" else bool(waiting) and now >= waiting[0][0] + TIMER)
            free = slots if full and not running else 0
        running += [{"of": waiting.pop(0), "read": 0, "made": 0, "last": 0.0, "pause": 0.0} for _ in range(min(free, len(waiting)))]
        if not running:
            now = min(todo[0][0] if todo else inf, waiting[0][0] + TIMER if waiting and rule == "dynamic" else inf)
            continue
        tokens, budget = 0, chunk if rule == "chunked prefill" else inf
        steps = []  # who gets a token in this step
        for r in running:
            left = r["of"][1] - r["read"]
            if left > 0:  # the prompt comes first; its last part brings the first token
                part = min(left, budget)
                r["read"], budget, tokens = r["read"] + part, budget - part, tokens + part
                if part == left:
                    steps.append(r)
            elif r["made"] < r["of"][2]:
                tokens += 1
                steps.append(r)
        now += FIXED + EACH * tokens
        for r in steps:
            r["made"] += 1
            r.setdefault("first", now)
            r["pause"] = max(r["pause"], now - r["last"]) if r["made"] > 1 else 0.0
            r["last"] = r["end"] = now
        over = [r for r in running if r["made"] == r["of"][2]]
        if not together or len(over) == len(running):
            running = [r for r in running if r not in over]
            done += [(r["of"][0], r["first"], r["end"], r["pause"], r["made"]) for r in over]
    return done


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def picture(rows):
    """Two bars for each rule: how long an answer takes, and the longest pause inside one."""
    most, longest = max(row[2] for row in rows), max(row[3] for row in rows)
    bars = []
    for n, (rule, first, whole, pause, rate) in enumerate(rows):
        y = 36 + n * 46
        bars.append(f'<text x="12" y="{y + 20}">{rule}</text><rect class="quiet" x="126" y="{y}" width="{whole / most * 190:.0f}" height="14"/>'
                    f'<rect class="cool" x="126" y="{y}" width="{first / most * 190:.0f}" height="14"/><text class="small" x="{132 + whole / most * 190:.0f}" y="{y + 12}">{whole} s</text>'
                    f'<rect class="hot" x="126" y="{y + 17}" width="{pause / longest * 190:.0f}" height="8"/><text class="small" x="{132 + pause / longest * 190:.0f}" y="{y + 26}">{pause} ms</text>')
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 222"><g class="small"><rect class="cool" x="12" y="9" width="12" height="10"/><text x="29" y="18">first token</text>'
            '<rect class="quiet" x="112" y="9" width="12" height="10"/><text x="129" y="18">whole answer</text><rect class="hot" x="232" y="9" width="12" height="10"/>'
            f'<text x="249" y="18">longest pause</text></g>{"".join(bars)}</svg>')
