"""Which of the 32 banks the lanes of a warp ask when each reads one element, and in how many passes they are served."""

from collections import defaultdict
from typing import Annotated

BANKS = 32  # fact: cc-all-smem-banks
LANES = 32
WORDS = {"float": 1, "float2": 2, "float4": 4}  # of 4 bytes, one to a bank

PREDICT = {"ask": "A tile with rows of 32 floats takes 32 passes to read down a column. Pad each row by one float: how many passes now?",
           "at": {"stride": 33}, "unit": "passes"}
LEFT_OUT = ("The time of a pass, masked lanes, and loads that other warps have in flight. That a float2 load is served by half warps and "
            "a float4 load by quarter warps is the usual rule; NVIDIA does not promise it.")


def simulate(
    stride: Annotated[int, range(1, 67), "elements", "From one lane's element to the next"] = 32,
    element: Annotated[str, ["float", "float2", "float4"], "", "Each lane loads one"] = "float",
):
    groups = [lines_asked(lanes, stride, WORDS[element]) for lanes in parts_of_the_warp(WORDS[element])]
    passes = sum(max(map(len, asked.values())) for asked in groups)
    least = len(groups)
    all_asked = lines_asked(range(LANES), stride, WORDS[element])
    verdict = "the least there is" if passes == least else f"where {least} would do"
    says = (f"Stride {stride}: the warp asks {count(len(all_asked), 'bank')} of {BANKS}, and needs {count(passes, 'pass')}, {verdict}.")
    table = [["bank", "different words", "lanes that ask"]]
    table += [[bank, len(words), lanes_of(bank, stride, WORDS[element])] for bank, words in sorted(all_asked.items())]
    return {"svg": picture(all_asked, passes, least), "table": table, "result": passes, "says": says}


def parts_of_the_warp(words):
    """Wide loads are served part by part, each of as many lanes as could fill all banks once."""
    size = LANES // words
    return [range(first, first + size) for first in range(0, LANES, size)]


def lines_asked(lanes, stride, words):
    """Bank → the different words wanted from it. Lanes that want the same word share it: a broadcast."""
    asked = defaultdict(set)
    for lane in lanes:
        for word in range(lane * stride * words, lane * stride * words + words):
            asked[word % BANKS].add(word)
    return asked


def lanes_of(bank, stride, words):
    lanes = [lane for lane in range(LANES) if any((lane * stride * words + part) % BANKS == bank for part in range(words))]
    return ", ".join(map(str, lanes[:6])) + (f" and {len(lanes) - 6} more" if len(lanes) > 6 else "")


def count(number, noun):
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}{'' if number == 1 else plural}"


def picture(asked, passes, least):
    """One square for each word a bank is asked for. Those above the first row wait."""
    tallest = max(map(len, asked.values()))
    step = min(14, 148 / tallest)
    rows = {"good": [], "bad": []}
    for bank, words in asked.items():
        for place in range(len(words)):
            role = "bad" if place >= least and passes > least else "good"
            rows[role].append(f"M{22 + bank * 11.6:.0f} {172 - place * step:.0f}h10v-{step * 0.9:.0f}h-10z")
    ticks = "".join(f'<text x="{27 + bank * 11.6:.0f}" y="188">{bank}</text>' for bank in (0, 4, 8, 12, 16, 20, 24, 28, 31))
    squares = "".join(f'<path class="{role}" d="{"".join(sorted(shapes))}"/>' for role, shapes in rows.items() if shapes)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 208"><text class="strong" x="22" y="16">{count(passes, "pass")}</text>'
            f'{squares}<path class="line" d="M18 173H396"/><g class="mid muted">{ticks}<text x="208" y="204">bank</text></g></svg>')
