"""How many tokens speculative decoding makes per pass of the large model, and when drafting costs more than it saves."""

from random import Random
from typing import Annotated

PREDICT = {"ask": "A draft model proposes 4 tokens, each accepted with probability 0.8, at a twentieth of the large model's cost. How many times faster is decoding?",
           "at": {"accept": 0.8, "drafts": 4}, "unit": "times"}
LEFT_OUT = ("Batches: the check of several tokens is free only while decoding waits for memory, and no longer once a batch fills the arithmetic. "
            "Also that acceptance differs from token to token, trees of drafts, and the memory of the draft model.")


def simulate(
    accept: Annotated[float, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95], "", "A draft token is accepted with probability"] = 0.7,
    drafts: Annotated[int, [1, 2, 3, 4, 5, 6, 8, 10], "tokens", "Drafted at a time"] = 4,
    cost: Annotated[float, [0.01, 0.05, 0.1, 0.2], "of a pass", "A draft token costs"] = 0.05,
):
    made, speed = expected(accept, drafts), speedup(accept, drafts, cost)
    watched = sum(accepted(accept, drafts, Random(5), 4000)) / 4000
    best = most_worth(accept, cost)
    says = (f"Each pass of the large model makes {made:.2f} tokens on average ({watched:.2f} over 4,000 simulated passes): decoding is {speed:.2f} times as fast. "
            f"Best would be {best} draft{'s' if best > 1 else ''} at a time, {speedup(accept, best, cost):.2f} times.")
    table = [["drafts", "tokens per pass", "times as fast"], *([n, round(expected(accept, n), 3), round(speedup(accept, n, cost), 3)] for n in (1, 2, 3, 4, 5, 6, 8, 10))]
    return {"svg": picture(accept, drafts, cost), "table": table, "result": round(speed, 2), "says": says}


def most_worth(accept, cost):
    """The number of drafts beyond which another one costs more time than it saves: from there on the speedup only falls."""
    count = 1
    while speedup(accept, count + 1, cost) > speedup(accept, count, cost):
        count += 1
    return count


def expected(accept, drafts):
    """Tokens of a pass: the accepted drafts and the one that the large model adds (Leviathan et al., equation 1)."""
    return sum(accept**n for n in range(drafts + 1))


def speedup(accept, drafts, cost):
    """Against one token per pass; a round costs a pass and its drafts."""
    return expected(accept, drafts) / (1 + drafts * cost)


def accepted(accept, drafts, rng, passes):
    """The tokens of each of many passes: drafts until the first that is refused, and one more."""
    for _ in range(passes):
        kept = 0
        while kept < drafts and rng.random() < accept:
            kept += 1
        yield kept + 1


def picture(accept, drafts, cost):
    """The gain over the number of drafts; below 1 it is a loss."""
    most = 10

    def at(count, gain):
        return 44 + (count - 1) * 37.5, 190 - gain * 20

    points = [at(count, speedup(accept, count, cost)) for count in range(1, most + 1)]
    x, y = at(drafts, speedup(accept, drafts, cost))
    one = at(1, 1)[1]
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 232"><path class="line" d="M44 20V190H390"/>'
            f'<path class="muted-line dash" d="M44 {one:.0f}H390"/><path class="cool-line" d="M{"L".join(f"{px:.1f} {py:.1f}" for px, py in points)}"/>'
            f'<circle class="{"hot" if speedup(accept, drafts, cost) >= 1 else "bad"}" cx="{x:.1f}" cy="{y:.1f}" r="6"/><g class="small muted">'
            + "".join(f'<text class="end" x="38" y="{at(1, n)[1] + 4:.0f}">{n}x</text>' for n in (1, 2, 4, 6, 8))
            + "".join(f'<text class="mid" x="{at(n, 0)[0]:.0f}" y="207">{n}</text>' for n in (1, 2, 4, 6, 8, 10))
            + '<text class="mid" x="214" y="226">drafted tokens</text></g></svg>')
