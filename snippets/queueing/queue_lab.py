"""How long a request spends at one server, waiting and being served, as the server gets busier."""

from functools import cache
from math import sqrt
from random import Random
from typing import Annotated

REQUESTS = 100_000
SPREADS = {"always the same": 0.0, "exponential": 1.0, "mostly short, some long": 2.25}  # variance over squared mean

PREDICT = {"ask": "Service takes 100 ms on average, exponentially spread. At 90 % load, how long is a request in the system on average, in ms?",
           "at": {"load": 0.9}, "unit": "ms"}
LEFT_OUT = ("Arrivals that come in bursts or by the clock, requests that give up, priorities, and batches, which change the law itself. One "
            "server, first come, first served.")


def simulate(
    load: Annotated[float, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.92, 0.94], "of capacity", "Load"] = 0.5,
    service: Annotated[str, ["always the same", "exponential", "mostly short, some long"], "", "Service takes"] = "exponential",
    mean: Annotated[int, [10, 100, 1000], "ms", "Service takes on average"] = 100,
):
    formula = mean * pollaczek_khinchine(load, SPREADS[service])
    times = sorted(mean * time for time in in_system(load, service))
    watched, p99 = sum(times) / len(times), times[len(times) * 99 // 100]
    says = (f"At {load:.0%} load a request is in the system for {formula:,.0f} ms on average, {formula / mean:.1f} times its service. "
            f"Of {REQUESTS:,} simulated ones the mean is {watched:,.0f} ms, and one in a hundred takes longer than {p99:,.0f} ms.")
    table = [["", "ms"], ["service, mean", mean], ["in the system, by formula", round(formula, 1)], ["in the system, simulated", round(watched, 1)],
             ["99th percentile, simulated", round(p99, 1)]]
    return {"svg": picture(load, service, watched / mean, p99 / mean), "table": table, "result": round(formula), "says": says}


def pollaczek_khinchine(load, spread):
    """Mean time in the system of an M/G/1 queue, in mean service times."""
    return 1 + load / (1 - load) * (1 + spread) / 2


@cache
def in_system(load, service, requests=REQUESTS):
    """Lindley's recursion: each request waits for what is left of the one before. In mean service times."""
    rng, waits, times = Random(7), 0.0, []
    draw = {
        "always the same": lambda: 1.0,
        "exponential": lambda: rng.expovariate(1),
        "mostly short, some long": lambda: 0.5 if rng.random() < 0.9 else 5.5,
    }[service]
    for _ in range(requests):
        took = draw()
        times.append(waits + took)
        waits = max(0.0, waits + took - rng.expovariate(load))
    return times


def picture(load, service, watched, p99):
    """The closed form as a curve, the simulated mean as a point; the axis is a square root, so that both ends can be seen."""
    def at(x, y):
        return 46 + x * 332, 196 - sqrt(min(y, 100)) * 17.5

    curves = []
    for name, spread in SPREADS.items():
        points = [at(x / 100, pollaczek_khinchine(x / 100, spread)) for x in range(0, 99)]
        curves.append(f'<path class="{"hot-line" if name == service else "line"}" d="M{"L".join(f"{x:.0f} {y:.0f}" for x, y in points)}"/>')
    (x, y), (_, high) = at(load, watched), at(load, p99)
    ticks = "".join(f'<text class="end" x="40" y="{at(0, n)[1] + 4:.0f}">{n}</text>' for n in (1, 5, 10, 25, 50, 100))
    ticks += "".join(f'<text class="mid" x="{at(n / 100, 0)[0]:.0f}" y="212">{n}%</text>' for n in (0, 25, 50, 75, 100))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 234"><path class="line" d="M46 16V196H386"/>{"".join(curves)}'
            f'<path class="cool-line dash" d="M{x:.0f} {y:.0f}V{high:.0f}"/><circle class="cool" cx="{x:.0f}" cy="{high:.0f}" r="4"/>'
            f'<circle class="hot" cx="{x:.0f}" cy="{y:.0f}" r="6"/><g class="small muted">{ticks}<text x="54" y="14">time in the system, in service times</text>'
            '<text class="mid" x="216" y="230">load</text></g></svg>')
