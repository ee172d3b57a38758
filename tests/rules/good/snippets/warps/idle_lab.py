"""How many lanes of the last warp of a block idle."""

from typing import Annotated

PREDICT = {"ask": "A block of 100 threads: how many lanes idle?", "at": {"threads": 100}, "unit": "lanes"}
LEFT_OUT = "Lanes that wait for others at a branch."


def simulate(
    threads: Annotated[int, range(1, 129), "threads", "In a block"] = 32,
    lanes: Annotated[int, [32, 64], "lanes", "In a warp"] = 32,
):
    idle = -threads % lanes
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 9"><rect class="bad" width="{idle}" height="9"/></svg>'
    return {"svg": svg, "table": [["threads", "idle"], [threads, idle]], "result": idle, "says": f"{idle} lanes idle."}
