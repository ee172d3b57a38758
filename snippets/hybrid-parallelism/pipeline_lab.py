"""Which stage of a pipeline works when, under GPipe, 1F1B and interleaved 1F1B, and how much of the time it idles."""

from typing import Annotated

PREDICT = {"ask": "4 stages, 8 micro-batches, 1F1B: what share of the time does a stage idle, in per cent?", "at": {"micro": 8, "stages": 4}, "unit": "%"}
LEFT_OUT = ("Sending activations between stages, stages of unequal length, and the optimizer. A backward pass takes twice a forward one. "
            "Interleaving sends more often; that price is not in the model.")


def simulate(
    micro: Annotated[int, [8, 16, 24], "micro-batches", "A batch is cut into"] = 8,
    stages: Annotated[int, [2, 4, 8], "stages", "The model is cut into"] = 4,
    schedule: Annotated[str, ["GPipe", "1F1B", "interleaved, 2 chunks", "interleaved, 4 chunks"], "", "Schedule"] = "1F1B",
):
    chunks = int(schedule.split()[1]) if "interleaved" in schedule else 1
    done, end = run(orders(schedule, stages, micro, chunks), stages, chunks)
    busy = 3 * micro
    idle = round(100 * (end - busy) / end, 1)
    held = [most_held(order) for order in orders(schedule, stages, micro, chunks)]
    says = (f"{schedule}: {micro} micro-batches through {stages} stages take {end:g} forward times, of which each stage idles {idle:g} %. "
            f"The first stage holds the activations of up to {held[0] / chunks:g} micro-batches.")
    table = [["stage", "works", "idles", "micro-batches held"], *([stage, busy, round(end - busy, 2), held[stage] / chunks] for stage in range(stages))]
    return {"svg": picture(done, end, stages, chunks), "table": table, "result": idle, "says": says}


def orders(schedule, stages, micro, chunks):
    """What each stage does, in order: (forward?, micro-batch, chunk)."""
    return [order(schedule, stage, stages, micro, chunks) for stage in range(stages)]


def order(schedule, stage, stages, micro, chunks):
    forwards = [(True, m, c) for m, c in rounds(stages, micro, chunks)]
    backwards = [(False, m, chunks - 1 - c) for m, c in rounds(stages, micro, chunks)]
    if schedule == "GPipe":
        return forwards + backwards
    ahead = stages - 1 - stage if chunks == 1 else 2 * (stages - 1 - stage) + (chunks - 1) * stages
    ahead = min(ahead, len(forwards))
    steady = [work for pair in zip(forwards[ahead:], backwards) for work in pair]
    return forwards[:ahead] + steady + backwards[len(forwards) - ahead :]


def rounds(stages, micro, chunks):
    """Groups of as many micro-batches as there are stages go through one chunk, then the same group through the next."""
    if chunks == 1:
        return [(m, 0) for m in range(micro)]
    return [(m, c) for first in range(0, micro, stages) for c in range(chunks) for m in range(first, first + stages)]


def run(todo, stages, chunks):
    """Starts each piece of work when its stage is free and what it waits for is there. Returns (stage, start, end, work) and the end."""
    ends, free, place, done = {}, [0.0] * stages, [0] * stages, []
    last = stages * chunks - 1
    while any(place[stage] < len(todo[stage]) for stage in range(stages)):
        moved = False
        for stage in range(stages):
            while place[stage] < len(todo[stage]):
                forward, m, chunk = todo[stage][place[stage]]
                at = chunk * stages + stage  # its place among all layers
                needs = (True, m, at - 1) if forward else ((False, m, at + 1) if at < last else (True, m, at))
                if not (forward and at == 0) and needs not in ends:
                    break
                start = max(free[stage], ends.get(needs, 0.0))
                free[stage] = ends[forward, m, at] = start + (1 if forward else 2) / chunks
                done.append((stage, start, free[stage], todo[stage][place[stage]]))
                place[stage], moved = place[stage] + 1, True
        assert moved, "every schedule here can go on"
    return done, max(free)


def most_held(order):
    """Forward passes whose backward has not come yet, at most; one of them is 1 / chunks of a stage."""
    now = most = 0
    for forward, *_ in order:
        now += 1 if forward else -1
        most = max(most, now)
    return most


def picture(done, end, stages, chunks):
    """Time to the right, a row for each stage; forward blue, backward copper, later chunks paler."""
    wide, tall = 352 / end, min(30, 200 / stages)
    shapes = {}
    for stage, start, stop, (forward, _, chunk) in done:
        shapes.setdefault((forward, chunk), []).append(f"M{36 + start * wide:.1f} {32 + stage * tall:.0f}h{(stop - start) * wide - 0.7:.1f}v{tall - 4:.0f}H{36 + start * wide:.1f}z")
    bars = "".join(f'<path class="{"cool" if forward else "hot"}" fill-opacity="{1 - 0.62 * chunk / max(1, chunks - 1) if chunks > 1 else 1:.2f}" d="{"".join(path)}"/>'
                   for (forward, chunk), path in sorted(shapes.items(), reverse=True))
    rows = "".join(f'<text class="small muted end" x="28" y="{32 + stage * tall + tall / 2 + 3:.0f}">{stage}</text>' for stage in range(stages))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {40 + stages * tall:.0f}"><rect class="wash" x="36" y="30" width="352" height="{stages * tall:.0f}"/>{bars}{rows}'
            '<g class="small"><rect class="cool" x="36" y="8" width="12" height="10"/><text x="53" y="17">forward</text><rect class="hot" x="116" y="8" width="12" height="10"/><text x="133" y="17">backward</text></g></svg>')
