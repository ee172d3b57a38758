"""A block adds up one number per thread in shared memory, on a small SIMT machine. Change a kernel, leave out a barrier, and run it."""

from collections import Counter, defaultdict
from typing import Annotated

LANES = 32  # of a warp
BANKS = 32  # fact: cc-all-smem-banks

PREDICT = {"ask": "In round 4 of interleaved addressing with packed threads, thread t reads word 16 t. How many wavefronts does the warp's request take?",
           "at": {"step": 4, "addressing": "interleaved, packed threads", "block": 256}, "unit": "wavefronts"}
LEFT_OUT = ("Time: what a wavefront or a barrier costs. Between two barriers the threads run one after the other here, and on a "
            "GPU in any order. Several elements per thread and warp shuffles, which are better still.")

# The kernels, as one thread runs them: t is its threadIdx.x, part lies in shared memory, and `yield` is __syncthreads().


def interleaved_spread(t, part):
    apart = 1
    while apart < len(part):
        if t % (2 * apart) == 0:
            part[t] += part[t + apart]
        yield
        apart *= 2


def interleaved_packed(t, part):
    apart = 1
    while apart < len(part):
        at = 2 * apart * t
        if at < len(part):
            part[at] += part[at + apart]
        yield
        apart *= 2


def sequential(t, part):
    half = len(part) // 2
    while half > 0:
        if t < half:
            part[t] += part[t + half]
        yield
        half //= 2


KERNELS = {"interleaved, spread threads": interleaved_spread, "interleaved, packed threads": interleaved_packed, "sequential": sequential}


def simulate(
    step: Annotated[int, range(9), "", "Round (0: the load)"] = 1,
    addressing: Annotated[str, ["interleaved, spread threads", "interleaved, packed threads", "sequential"], "", "Addressing"] = "interleaved, spread threads",
    block: Annotated[int, [32, 64, 128, 256], "threads", "The block has"] = 256,
):
    phases, total = run(KERNELS[addressing], block)
    rounds = len(phases) - 1
    asked = phases[step] if step <= rounds else []
    found = requests(asked)
    worst = max(map(wavefronts, found.values()), default=0)
    active = Counter(t // LANES for t in {t for t, _, _ in asked})
    table = [["warp", "threads that add" if step else "threads that store", "wavefronts"]]
    for warp in range(block // LANES):
        table.append([warp, active[warp], sum(wavefronts(words) for (at, _, _), words in found.items() if at == warp)])
    says = sentence(step, rounds, active, worst, block)
    if step >= rounds:
        right = sum(map(number, range(block)))
        says += f" The sum is {total:,}" + (", which is right." if total == right else f", and {right:,} would be right.")
    return {"svg": picture(asked, block), "table": table, "result": worst, "says": says}


def number(t):
    """What thread t puts in."""
    return 7 * t % 11


# The machine


class Shared:
    """Shared memory that notes which thread asks for which word."""

    def __init__(self, size):
        self.words = [None] * size
        self.thread, self.asked = 0, []

    def __len__(self):
        return len(self.words)

    def note(self, kind, word):
        if not 0 <= word < len(self.words):
            raise IndexError(f"thread {self.thread} {kind}s word {word} of {len(self.words)}")
        self.asked.append((self.thread, kind, word))

    def __getitem__(self, word):
        self.note("load", word)
        if self.words[word] is None:
            raise ValueError(f"thread {self.thread} loads word {word}, which nobody has stored")
        return self.words[word]

    def __setitem__(self, word, value):
        self.note("store", word)
        self.words[word] = value


def run(kernel, block):
    """What the threads ask of shared memory from barrier to barrier, as (thread, load or store, word), and the sum."""
    part, phases = Shared(block), []
    threads = {t: program(kernel, t, part) for t in range(block)}
    while threads:
        part.asked, waiting = [], {}
        for t, thread in threads.items():
            part.thread = t
            for _ in thread:  # on to the next barrier
                waiting[t] = thread
                break
        if waiting and len(waiting) < len(threads):
            raise RuntimeError(f"{len(waiting)} of {len(threads)} threads wait at a barrier, the others have ended")
        if part.asked:
            phases.append(part.asked)
        threads = waiting
    return phases, part.words[0]


def program(kernel, t, part):
    part[t] = number(t)
    yield
    yield from kernel(t, part)


def requests(asked):
    """(warp, n, load or store) → the words asked for. The nth accesses of its lanes since the barrier are one request of the warp."""
    nth, found = Counter(), defaultdict(set)
    for t, kind, word in asked:
        found[t // LANES, nth[t], kind].add(word)
        nth[t] += 1
    return found


def wavefronts(words):
    """A bank gives one word in each."""
    return max(Counter(word % BANKS for word in words).values())


# What is shown


def sentence(step, rounds, active, worst, block):
    if step > rounds:
        return f"The kernel ended after round {rounds}."
    did = f"Round {step} of {rounds}: {count(sum(active.values()), 'addition')}" if step else f"The load: {block} stores"
    return f"{did}, in {len(active)} of {count(block // LANES, 'warp')}. The dearest request takes {count(worst, 'wavefront')}."


def count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def picture(asked, block):
    """Above the threads, a row for each warp; below the words they ask for, where a column is a bank."""
    rows = block // LANES
    below = rows * 11 + 52
    busy = {t for t, _, _ in asked}
    stored = {word for _, kind, word in asked if kind == "store"}
    loaded = {word for _, _, word in asked} - stored
    ticks = "".join(f'<text x="{13 + bank * 12}" y="{below + rows * 11 + 13}">{bank}</text>' for bank in (0, 8, 16, 24, 31))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {below + rows * 11 + 38}">'
            f'<text x="8" y="18">threads, a row for each warp</text>{cells("quiet", set(range(block)) - busy, 26)}{cells("hot", busy, 26)}'
            f'<text x="8" y="{below - 8}">words of shared memory, a column for each bank</text>'
            f'{cells("quiet", set(range(block)) - stored - loaded, below)}{cells("hot", stored, below)}{cells("cool", loaded, below)}'
            f'<g class="mid muted small">{ticks}</g>'
            f'<text class="small muted" x="8" y="{below + rows * 11 + 31}">copper: stored to; blue: only loaded</text></svg>')


def cells(role, places, top):
    """32 to a row. Neighbors are drawn as one stroke."""
    drawn = []
    for place in sorted(places):
        if place - 1 in places and place % LANES:
            continue
        end = place
        while end + 1 in places and (end + 1) % LANES:
            end += 1
        x, wide = 8 + place % LANES * 12, (end - place) * 12 + 10
        drawn.append(f"M{x} {top + place // LANES * 11}h{wide}v9h-{wide}z")
    return f'<path class="{role}" d="{"".join(drawn)}"/>' if drawn else ""
