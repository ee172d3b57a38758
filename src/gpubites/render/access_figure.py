"""One warp's request as a picture, from the traced access itself: its lanes, and the sectors or the wavefronts that they cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from gpubites.cuda_example import Traced

LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32
WASTEFUL = 2  # a request that costs twice what its bytes need
MOST_SHARES = 32  # a picture of more would be no picture


@dataclass(frozen=True)
class Share:
    """A sector or a wavefront: the lanes that it serves, and the bytes (of a sector) or banks (of a wavefront) that they ask for."""

    lanes: tuple[int, ...]
    asked: tuple[int, ...]


@dataclass(frozen=True)
class Request:
    """What the lanes of one warp asked for at once, as it was traced."""

    traced: Traced
    lanes: tuple[int, ...]
    shares: tuple[Share, ...]

    @property
    def shared(self) -> bool:
        return self.traced.space == "shared"

    @property
    def bytes(self) -> int:
        return len(self.lanes) * self.traced.access_bytes

    @property
    def waste(self) -> float:
        """Its cost over the least that so many bytes can cost."""
        return len(self.shares) / ceil(self.bytes / (BANKS * WORD if self.shared else SECTOR))


def read_request(traced: Traced) -> Request | None:
    """The request in a traced line's sample; None where it holds none that can be drawn."""
    words = traced.sample.split()
    offsets = {lane: int(word) for lane, word in enumerate(words) if word != "-"}
    if len(words) != LANES or not offsets or traced.access not in ("load", "store") or not 0 < traced.access_bytes <= 16:
        return None
    shares = _wavefronts(offsets, traced.access_bytes) if traced.space == "shared" else _sectors(offsets, traced.access_bytes)
    return Request(traced, tuple(offsets), shares) if len(shares) <= MOST_SHARES else None


def compared(trace: Iterable[Traced]) -> tuple[Request, Request] | None:
    """The most wasteful request of a program, and the thriftiest one of its kind; else two that differ in width.

    Both are in the same kind of memory and both load, or both store. None where the program holds no such contrast.
    """
    groups: dict[tuple[bool, str], list[Request]] = {}
    for traced in trace:
        request = read_request(traced)
        if request and len(request.lanes) > LANES // 2:
            groups.setdefault((request.shared, traced.access), []).append(request)
    pairs = [_by_waste(alike) for alike in groups.values()]
    wasteful, thrifty = max(pairs, key=lambda pair: pair[0].waste / pair[1].waste, default=(None, None))
    if wasteful and thrifty and wasteful.waste >= WASTEFUL * max(1, thrifty.waste):
        return wasteful, thrifty
    widths = [_by_width(alike) for alike in groups.values()]
    return next(((narrow, wide) for narrow, wide in widths if narrow.traced.access_bytes < wide.traced.access_bytes), None)


def _by_waste(alike: Sequence[Request]) -> tuple[Request, Request]:
    """The thrifty one from the same line if it can be: another instance of a template."""
    wasteful = max(alike, key=lambda request: (request.waste, len(request.shares)))
    return wasteful, min(alike, key=lambda request: (request.waste, request.traced.line != wasteful.traced.line))


def _by_width(alike: Sequence[Request]) -> tuple[Request, Request]:
    narrow, wide = (pick(alike, key=lambda request: request.traced.access_bytes) for pick in (min, max))
    return narrow, wide


def access_figures(pair: Sequence[Request], source_line: dict[int, str]) -> str:
    """The two requests above each other, complete as they stand; the element steps through both at once."""
    figures = "".join(_figure(request, source_line[request.traced.line]) for request in pair)
    unit, what = ("wavefront", "one pass over 32 banks") if pair[0].shared else ("sector", "32 bytes of memory")
    note = f"One warp of each, as traced on the CPU: its lanes, and what they ask for. A {unit} is {what}; their order is not traced."
    tools = f'<div class="frame-controls access-tools"></div><p class="frame-note">{note}</p>'
    return f'<warp-access data-unit="{unit}">{figures}{tools}</warp-access>'


def _sectors(offsets: dict[int, int], size: int) -> tuple[Share, ...]:
    """In the order of their addresses."""
    asked: dict[int, tuple[set[int], set[int]]] = {}
    for lane, first in offsets.items():
        for byte in range(first, first + size):
            lanes, inside = asked.setdefault(byte // SECTOR, (set(), set()))
            lanes.add(lane)
            inside.add(byte % SECTOR)
    return tuple(Share(tuple(sorted(lanes)), tuple(sorted(inside))) for _, (lanes, inside) in sorted(asked.items()))


def _wavefronts(offsets: dict[int, int], size: int) -> tuple[Share, ...]:
    """A bank gives one word in each, to all lanes that want it; which one comes first is not known, so the lanes' order is taken."""
    words: dict[int, dict[int, list[int]]] = {}
    for lane, first in sorted(offsets.items()):
        for word in range(first // WORD, (first + size - 1) // WORD + 1):
            words.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    turns = [
        [(bank, waiting[turn]) for bank, wanted in sorted(words.items()) if len(waiting := list(wanted.values())) > turn]
        for turn in range(max(map(len, words.values())))
    ]
    return tuple(Share(tuple(sorted({lane for _, lanes in turn for lane in lanes})), tuple(bank for bank, _ in turn)) for turn in turns)


# --- words -----------------------------------------------------------------------------------------------------------


def says(request: Request) -> str:
    """The picture in a sentence, which stands below it and names it for those who cannot see it."""
    cost, size = len(request.shares), request.traced.access_bytes
    asks = f"{len(request.lanes)} lanes {request.traced.access} {size} {'byte' if size == 1 else 'bytes'} each"
    if request.shared:
        banks = len({bank for share in request.shares for bank in share.asked})
        return f"{asks}, in {banks} of {BANKS} banks: {_count(cost, 'wavefront')}."
    used = sum(len(share.asked) for share in request.shares)
    return f"{asks}, {used:,} different bytes in {_count(cost, 'sector')}: {cost * SECTOR:,} bytes move."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _ranges(numbers: Sequence[int]) -> str:
    """`0-7`, or `3, 17`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


# --- the picture -----------------------------------------------------------------------------------------------------

LEFT, PITCH = 9, 12  # of lanes and banks: 32 fill the 400 of the picture
TOP = 34  # where the lanes end
CELL, ROW, PER_ROW = 48, 34, 8  # of sectors
LONGEST_LABEL = 6  # characters that fit into a sector


def _figure(request: Request, line: str) -> str:
    function = f" in <code>{escape(request.traced.function)}</code>" if request.traced.function else ""
    cost = _count(len(request.shares), "wavefront" if request.shared else "sector")
    sentence = escape(says(request))
    return (
        f'<div class="access"><p class="access-line"><strong>{cost}</strong>: '
        f"<code>{escape(line)}</code>{function}</p>{_picture(request, sentence)}"
        f'<p class="access-says">{sentence}</p></div>'
    )


def _picture(request: Request, sentence: str) -> str:
    idle = ' class="off"'
    lanes = "".join(
        f'<path{"" if lane in request.lanes else idle} d="M{LEFT + lane * PITCH} {TOP - 14}h10v14h-10z"/>' for lane in range(LANES)
    )
    below, height = _banks(request) if request.shared else _cells(request)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {height}" role="img" aria-label="{sentence}">'
        f'{_ticks("lane", TOP - 20)}<g class="lanes">{lanes}</g>{below}</svg>'
    )


def _ticks(what: str, y: int) -> str:
    """`lane 0`, 8, 16, 24, 31."""
    rest = "".join(f'<text x="{LEFT + number * PITCH + 5}" y="{y}">{number}</text>' for number in (8, 16, 24, 31))
    return f'<g class="ticks"><text x="{LEFT}" y="{y}" text-anchor="start">{what} 0</text>{rest}</g>'


def _cells(request: Request) -> tuple[str, int]:
    """Each sector with the lanes that it serves, and a bar of its 32 bytes of which those are filled that somebody wants."""
    drawn = []
    for place, share in enumerate(request.shares):
        x, y = LEFT - 1 + place % PER_ROW * CELL, TOP + 14 + place // PER_ROW * ROW
        label = _ranges(share.lanes)
        label = label if len(label) <= LONGEST_LABEL else f"{len(share.lanes)} lanes"
        drawn.append(
            f'<g class="share" data-lanes="{_ranges(share.lanes)}" transform="translate({x} {y})"><path class="box" d="M0 0h46v30h-46z"/>'
            f'<text x="23" y="14">{label}</text><path class="rest" d="M3 19h40v8h-40z"/><path class="used" d="{_bar(share.asked)}"/></g>'
        )
    rows = ceil(len(request.shares) / PER_ROW)
    return f'<g class="shares">{"".join(drawn)}</g>', TOP + 14 + rows * ROW


def _bar(inside: Sequence[int]) -> str:
    """The stretches of a sector's bytes, 1.25 wide each."""
    runs = [part.split("-") for part in _ranges(inside).split(", ")]
    return "".join(
        f"M{3 + int(run[0]) * 1.25:g} 19h{(int(run[-1]) - int(run[0]) + 1) * 1.25:g}v8H{3 + int(run[0]) * 1.25:g}z" for run in runs
    )


def _banks(request: Request) -> tuple[str, int]:
    """Lines from the lanes to their banks; below, a row for each wavefront with the banks that it asks."""
    top = TOP + 56
    step = 14 if len(request.shares) <= 4 else 8 if len(request.shares) <= 16 else 6
    offsets = request.traced.sample.split()
    ways = [(lane, int(offsets[lane]) // WORD % BANKS) for lane in request.lanes]  # a wide access leads to its first bank
    drawn = "".join(f'<path d="M{LEFT + 5 + lane * PITCH} {TOP + 2}L{LEFT + 5 + bank * PITCH} {top - 20}"/>' for lane, bank in ways)
    rows = "".join(
        f'<g class="share{" late" if place >= ceil(request.bytes / (BANKS * WORD)) else ""}" data-lanes="{_ranges(share.lanes)}">'
        f'<path class="rest" d="M{LEFT} {top + place * step}h{31 * PITCH + 10}v{step - 2}H{LEFT}z"/><path class="used" d="'
        + "".join(f"M{LEFT + bank * PITCH} {top + place * step}h10v{step - 2}h-10z" for bank in share.asked)
        + '"/></g>'
        for place, share in enumerate(request.shares)
    )
    return f'<g class="ways">{drawn}</g>{_ticks("bank", top - 6)}<g class="shares">{rows}</g>', top + len(request.shares) * step + 2
