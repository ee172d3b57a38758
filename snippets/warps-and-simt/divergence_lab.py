"""What a branch costs eight warps when some of their threads go one way and the rest the other."""

from random import Random
from typing import Annotated

LANES, WARPS = 32, 8

PREDICT = {"ask": "64 of 256 threads, scattered at random, take a side of 16 instructions; the others take one of 4. How many instructions do the eight warps issue together?",
           "at": {"taken": 64, "long": 16}, "unit": "instructions"}
LEFT_OUT = ("The branch itself, predicated short sides (a compiler often makes one of them), loops that end at different times, and the order "
            "in which a warp with independent thread scheduling runs its sides.")


def simulate(
    taken: Annotated[int, range(0, 257, 8), "of 256 threads", "Take the first side"] = 64,
    grouped: Annotated[bool, [False, True], "", "Threads that agree stand together"] = False,
    long: Annotated[int, [4, 16, 64], "instructions", "The first side has"] = 16,
    short: Annotated[int, [1, 4, 16, 64], "instructions", "The second side has"] = 4,
):
    takes = choices(taken, grouped)
    warps = [takes[first : first + LANES] for first in range(0, LANES * WARPS, LANES)]
    costs = [issued(warp, long, short) for warp in warps]
    work = taken * long + (LANES * WARPS - taken) * short
    split = sum(0 < sum(warp) < LANES for warp in warps)
    says = (f"{split} of {WARPS} warps split. Together they issue {sum(costs)} instructions, with {work / (LANES * sum(costs)):.0%} of the lanes "
            f"active on average.")
    table = [["warp", "lanes on the first side", "instructions issued"], *([n, sum(warp), cost] for n, (warp, cost) in enumerate(zip(warps, costs)))]
    return {"svg": picture(warps, long, short), "table": table, "result": sum(costs), "says": says}


def choices(taken, grouped):
    """Which threads take the first side: the first ones, or as many at random."""
    takes = [thread < taken for thread in range(LANES * WARPS)]
    if not grouped:
        Random(1).shuffle(takes)
    return takes


def issued(warp, long, short):
    """A warp issues each side that one of its lanes takes."""
    return long * any(warp) + short * (not all(warp))


def picture(warps, long, short):
    """A row of lanes per warp; the bar beside it is what the warp issues: useful for all, or for a part of its lanes."""
    rows = []
    for n, warp in enumerate(warps):
        y = 32 + n * 21
        lanes = {"hot": [], "cool": []}
        for lane, takes in enumerate(warp):
            lanes["hot" if takes else "cool"].append(f"M{34 + lane * 7} {y}h5.5v14h-5.5z")
        rows += [f'<path class="{role}" d="{"".join(cells)}"/>' for role, cells in lanes.items() if cells]
        first, second = long * any(warp), short * (not all(warp))
        wide = 128 / (long + short)
        rows.append(f'<text class="small muted" x="12" y="{y + 12}">{n}</text>'
                    f'<rect class="hot" x="264" y="{y}" width="{first * wide:.1f}" height="14"/><rect class="cool" x="{264 + first * wide:.1f}" y="{y}" width="{second * wide:.1f}" height="14"/>')
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 206"><g class="small muted"><text x="34" y="20">lanes, by the side they take</text>'
            f'<text x="264" y="20">issued by the warp</text></g>{"".join(rows)}</svg>')
