"""How many requests a KV cache holds when each gets blocks as it grows, against one reserved stretch for the longest."""

from math import ceil
from random import Random
from typing import Annotated

PER_TOKEN = 131_072  # fact: llama31-8b-kv-bytes-token
BUDGET = 57.54e9  # fact: vllm-h100-llama31-8b-kv-budget

PREDICT = {"ask": "Answers end at 500 tokens on average, reserved for 8,192. How many times more requests fit into blocks of 16?",
           "at": {"block": 16, "longest": 8192}, "unit": "times"}
LEFT_OUT = ("Requests that are still growing: every one is counted at its full length. Also preemption, shared prefixes, and the slower lookup "
            "of small blocks. The budget is what one H100 leaves for a Llama 3.1 8B in BF16.")


def simulate(
    block: Annotated[int, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512], "tokens", "A block holds"] = 16,
    longest: Annotated[int, [1024, 2048, 4096, 8192], "tokens", "A request may have"] = 4096,
    average: Annotated[int, [200, 500, 800], "tokens", "A request ends at, on average"] = 500,
):
    lengths = sizes(average, longest)
    paged = fit(lengths, lambda tokens: ceil(tokens / block) * block)
    contiguous = fit(lengths, lambda tokens: longest)
    gain = round(paged[0] / contiguous[0], 1)
    says = (f"Reserved for {longest:,} tokens, {contiguous[0]:,} requests fit and {contiguous[1]:.0%} of the cache is used. In blocks of {block} token{'' if block == 1 else 's'}, "
            f"{paged[0]:,} requests fit and {paged[1]:.1%} is used: {gain:g} times as many.")
    table = [["", "requests", "used", "wasted per request, tokens"]]
    table += [[name, count, f"{used:.1%}", round(waste, 1)] for name, (count, used, waste) in (("contiguous", contiguous), (f"blocks of {block}", paged))]
    return {"svg": picture(lengths[:14], block, longest), "table": table, "result": gain, "says": says}


def sizes(average, longest):
    """Lengths of requests in the order they come, exponentially spread, none longer than allowed."""
    rng = Random(11)
    return [min(longest, 1 + int(rng.expovariate(1 / average))) for _ in range(20_000)]


def fit(lengths, reserve):
    """How many requests fit, the share of their slots that is used, and the slots wasted by each."""
    slots, taken, used, count = int(BUDGET // PER_TOKEN), 0, 0, 0
    for tokens in lengths:
        if taken + reserve(tokens) > slots:
            break
        taken, used, count = taken + reserve(tokens), used + tokens, count + 1
    return count, used / taken, (taken - used) / count


def picture(lengths, block, longest):
    """The first requests: used dark, what a block wastes pale, what a reserved stretch wastes beyond it an outline."""
    scale, rows = 372 / longest, []
    used, waste, reserved = [], [], []
    for n, tokens in enumerate(lengths):
        y, whole = 30 + n * 13, ceil(tokens / block) * block
        used.append(f"M14 {y}h{tokens * scale:.1f}v9H14z")
        waste.append(f"M{14 + tokens * scale:.1f} {y}h{(min(whole, longest) - tokens) * scale:.1f}v9h-{(min(whole, longest) - tokens) * scale:.1f}z")
        reserved.append(f"M14 {y}h372v9H14z")
    rows = f'<path class="wash" d="{"".join(reserved)}"/><path class="bad" d="{"".join(waste)}"/><path class="good" d="{"".join(used)}"/>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 216"><g class="small"><rect class="good" x="14" y="8" width="12" height="10"/><text x="31" y="17">used</text>'
            '<rect class="bad" x="82" y="8" width="12" height="10"/><text x="99" y="17">rest of a block</text><rect class="quiet" x="206" y="8" width="12" height="10"/>'
            f'<text x="223" y="17">reserved if contiguous</text></g>{rows}</svg>')
