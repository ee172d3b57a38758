"""A load that rises for ten minutes, replicas that take time to start, and the requests that wait in between."""

from math import ceil
from typing import Annotated

SECONDS, RATE = 1800, 4.0  # simulated; requests per second that one replica serves
BASE, PEAK, RISES, FALLS = 8.0, 32.0, 300, 900  # requests per second, and when the load changes

PREDICT = {"ask": "Load rises from 8 to 32 requests per second at once. Replicas start in 240 s, scaling aims at 70 % use. How many requests wait at the worst moment?",
           "at": {"start": 240, "target": 70}, "unit": "requests"}
LEFT_OUT = ("Chance: requests flow evenly, so that even a full replica has no queue. Also replicas that fail, limits on how many can be had, "
            "requests that give up, and a scaler that looks at queues instead of use.")


def simulate(
    start: Annotated[int, [0, 10, 30, 60, 120, 180, 240, 300, 420, 600], "s", "A replica starts in"] = 120,
    target: Annotated[int, [50, 60, 70, 80, 100], "%", "Scaling aims at a use of"] = 70,
    spare: Annotated[int, [0, 2, 4], "replicas", "Kept ready beyond that"] = 0,
):
    seconds = run(start, target / 100, spare)
    worst = max(queue for _, queue, _ in seconds)
    waited = sum(queue > 0 for _, queue, _ in seconds)
    longest = max(queue / (RATE * replicas) for _, queue, replicas in seconds)
    hours = sum(replicas for *_, replicas in seconds) / 3600
    says = (f"At worst {worst:,.0f} requests wait, the last of them {longest:,.0f} s; there is a queue for {waited:,} s. "
            f"The half hour costs {hours:.1f} replica-hours.")
    table = [["minute", "requests per second", "ready replicas", "waiting"]]
    table += [[minute, seconds[minute * 60][0], seconds[minute * 60][2], round(seconds[minute * 60][1])] for minute in range(0, 30, 2)]
    return {"svg": picture(seconds), "table": table, "result": round(worst), "says": says}


def load(second):
    return PEAK if RISES <= second < FALLS else BASE


def run(start, target, spare):
    """(load, queue, ready replicas) for every second. The scaler looks every 15 s; what it orders is ready after `start`."""
    ready = ceil(BASE / RATE / target) + spare
    coming, queue, seconds = [], 0.0, []
    for now in range(SECONDS):
        ready += sum(count for at, count in coming if at == now)
        coming = [(at, count) for at, count in coming if at > now]
        if now % 15 == 0:
            wanted = ceil(load(now) / RATE / target) + spare
            have = ready + sum(count for _, count in coming)
            if wanted > have and start:
                coming.append((now + start, wanted - have))
            elif wanted > have:
                ready = wanted
            elif wanted < ready and not queue and not coming:
                ready = wanted
        queue = max(0.0, queue + load(now) - RATE * ready)
        seconds.append((load(now), queue, ready))
    return seconds


def picture(seconds):
    def line(values, most):
        return "M" + "L".join(f"{44 + n / SECONDS * 344:.0f} {most[1] - value / most[0] * 84:.0f}" for n, value in enumerate(values) if n % 20 == 0)

    rates, queues, ready = zip(*seconds)
    high, deep = max(max(rates), max(ready) * RATE), max(100, *queues)
    ticks = "".join(f'<text class="mid" x="{44 + n * 60 / SECONDS * 344:.0f}" y="226">{n}</text>' for n in (0, 5, 10, 15, 20, 25, 30))
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 246"><path class="line" d="M44 22V108H390M44 124V210H390"/>'
            f'<path class="cool-line" d="{line(rates, (high, 108))}"/><path class="good-line" d="{line([count * RATE for count in ready], (high, 108))}"/><path class="bad-line" d="{line(queues, (deep, 210))}"/>'
            '<g class="small"><rect class="cool" x="52" y="6" width="12" height="8"/><text x="69" y="14">load</text><rect class="good" x="112" y="6" width="12" height="8"/><text x="129" y="14">capacity, requests/s</text>'
            '<text class="end" x="388" y="136">waiting requests</text></g>'
            f'<g class="small muted"><text class="end" x="40" y="32">{high:.0f}</text><text class="end" x="40" y="112">0</text><text class="end" x="40" y="134">{deep:,.0f}</text><text class="end" x="40" y="214">0</text>{ticks}<text class="mid" x="216" y="242">minutes</text></g></svg>')
