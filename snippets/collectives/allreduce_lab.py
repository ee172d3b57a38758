"""How long an all-reduce takes as a ring, as a tree, and in two levels, from the latency of a step and the rate of the links."""

from math import ceil, log2
from typing import Annotated

NODE = 8  # GPUs that share the fast links
FAST = 450  # fact: h100-sxm-nvlink-one-way
SLOW = 50  # fact: ib-ndr-bytes

PREDICT = {"ask": "1 MB is summed over 512 GPUs in nodes of 8, 10 microseconds a step. Which way is fastest?", "at": {"size": 1.0, "ranks": 512},
           "choices": ["ring", "tree", "two levels"]}
LEFT_OUT = ("One flat ring or tree through one port per GPU: libraries run several side by side, to use all ports of a node. Contention and "
            "the sum itself are free here, trees are pipelined perfectly, and no switch adds on its own. The rates are an H100's NVLink, one way, and one NDR port for each GPU; the time of a step is an assumption.")


def simulate(
    size: Annotated[float, [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000], "MB", "Each GPU holds"] = 100,
    ranks: Annotated[int, [8, 16, 32, 64, 128, 256, 512, 1024], "GPUs", "Sum over"] = 64,
    step: Annotated[int, [2, 5, 10, 20], "microseconds", "Latency of a step"] = 10,
):
    times = seconds(size * 1e6, ranks, step * 1e-6)
    best = min(times, key=times.get)
    sent = 2 * (ranks - 1) / ranks * size
    says = (f"{size:,g} MB over {ranks} GPUs: ring {ms(times['ring'])}, tree {ms(times['tree'])}, two levels {ms(times['two levels'])}. "
            f"In a ring each GPU sends {mb(sent)} in {2 * (ranks - 1)} steps. {best.capitalize()} is fastest.")
    table = [["way", "ms", "steps"], *([way, round(time * 1e3, 4), steps(way, ranks)] for way, time in times.items())]
    return {"svg": picture(size, ranks, step), "table": table, "result": best, "says": says}


def mb(megabytes):
    return f"{megabytes:,.0f} MB" if megabytes >= 100 else f"{megabytes:.3g} MB"


def steps(way, ranks):
    """Steps that wait for one another."""
    nodes = ceil(ranks / NODE)
    inside = 2 * (min(NODE, ranks) - 1)
    return {"ring": 2 * (ranks - 1), "tree": 2 * ceil(log2(ranks)), "two levels": inside + 2 * (nodes - 1)}[way]


def seconds(size, ranks, step):
    """Bytes, GPUs and seconds of a step → seconds of each way. A flat ring and a tree run at the rate of their slowest link."""
    rate = (FAST if ranks <= NODE else SLOW) * 1e9
    inside, nodes = min(NODE, ranks), ceil(ranks / NODE)
    # Reduce-scatter in the node, all-reduce of each share across the nodes, all-gather in the node.
    local = 2 * (inside - 1) / inside * size / (FAST * 1e9)
    across = 2 * (nodes - 1) / nodes * (size / inside) / (SLOW * 1e9)
    return {
        "ring": steps("ring", ranks) * step + 2 * (ranks - 1) / ranks * size / rate,
        "tree": steps("tree", ranks) * step + 2 * size / rate,
        "two levels": steps("two levels", ranks) * step + local + across,
    }


def ring_all_reduce(values):
    """The ring itself, chunk by chunk: what every rank holds at the end, and how many chunks each one sent."""
    ranks = len(values)
    held, sent = [list(row) for row in values], [0] * ranks
    for turn in range(2 * (ranks - 1)):
        adding = turn < ranks - 1
        moves = [(rank, (rank - turn) % ranks) for rank in range(ranks)]
        parcels = [(rank, chunk, held[rank][chunk]) for rank, chunk in moves]
        for rank, chunk, value in parcels:
            to = (rank + 1) % ranks
            held[to][chunk] = held[to][chunk] + value if adding else value
            sent[rank] += 1
    return held, sent


def ms(time):
    return f"{time * 1e3:.3g} ms"


def picture(size, ranks, step):
    """Time over size, both by factors of ten."""
    from math import log10

    def at(megabytes, time):
        return 50 + (log10(megabytes) + 2) * 53, 200 - (log10(max(time, 1e-5)) + 5) * 36

    lines = []
    for way, role in (("ring", "hot"), ("tree", "cool"), ("two levels", "good")):
        points = [at(10 ** (power / 4), seconds(10 ** (power / 4) * 1e6, ranks, step * 1e-6)[way]) for power in range(-8, 17)]
        x, y = at(size, seconds(size * 1e6, ranks, step * 1e-6)[way])
        lines.append(f'<path class="{role}-line" d="M{"L".join(f"{px:.0f} {py:.0f}" for px, py in points)}"/><circle class="{role}" cx="{x:.0f}" cy="{y:.0f}" r="5"/>')
    ticks = "".join(f'<text class="mid" x="{at(10.0**n, 1)[0]:.0f}" y="216">{name}</text>' for n, name in ((-2, "10 kB"), (0, "1 MB"), (2, "100 MB"), (4, "10 GB")))
    ticks += "".join(f'<text class="end" x="44" y="{at(1, 10.0**n)[1] + 4:.0f}">{name}</text>' for n, name in ((-5, "10 us"), (-3, "1 ms"), (-1, "0.1 s")))
    legend = "".join(f'<rect class="{role}" x="{x}" y="6" width="12" height="10"/><text x="{x + 17}" y="15">{way}</text>' for way, role, x in
                     (("ring", "hot", 60), ("tree", "cool", 126), ("two levels", "good", 192)))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 224"><path class="line" d="M50 24V200H388"/>{"".join(lines)}'
            f'<g class="small muted">{ticks}</g><g class="small">{legend}</g></svg>')
