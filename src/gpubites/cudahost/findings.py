"""What the host wrote down, in words: kind, memory space, both lines, both threads, and what to do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpubites.cudahost.coverage import GPU_ONLY

Event = Mapping[str, Any]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with the program. `line` and `other_line` are lines of the reader's file."""

    kind: str
    space: str
    line: int | None
    other_line: int | None
    message: str

    def as_json(self) -> dict[str, object]:
        return {"kind": self.kind, "space": self.space, "line": self.line, "other_line": self.other_line, "message": self.message}


@dataclass(frozen=True)
class Place:
    """A line of a file that the reader wrote, and the function it was compiled for: a template has several."""

    file: str
    line: int
    function: str


class Lines:
    """Code addresses as lines of the reader's files, asked of `addr2line` all at once."""

    def __init__(self, program: Path, source: Path, files: frozenset[str], own_headers: Path, addresses: Iterable[int]) -> None:
        self.source = source
        self.files = files
        wanted = sorted(set(addresses) - {0})
        self.places: dict[int, Place] = {}
        for start in range(0, len(wanted), 2000):
            part = wanted[start : start + 2000]
            said = subprocess.run(
                ["addr2line", "-e", str(program), "-a", "-i", "-f", "-C", *(hex(a) for a in part)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            self._read(said, own_headers)

    def _read(self, said: str, own_headers: Path) -> None:
        """An address, then two lines for each frame: its function, and where that stands."""
        address, function = 0, None
        for text in said.splitlines():
            if function is None and text.startswith("0x"):
                address = int(text, 16)
                continue
            if function is None:
                function = text
                continue
            frame_of, function = function, None
            if address in self.places:
                continue
            file, _, number = text.partition(" ")[0].rpartition(":")
            path = Path(file)
            # Innermost first: the first frame in a file of the reader's is where the reader wrote it.
            if number.isdigit() and int(number) > 0 and self._is_readers(path, own_headers):
                self.places[address] = Place(path.name, int(number), function_name(frame_of))

    def _is_readers(self, path: Path, own_headers: Path) -> bool:
        return path.name in self.files and not path.is_relative_to(own_headers)

    def line(self, address: int | None) -> int | None:
        place = self.places.get(address or 0)
        return place.line if place else None

    def function(self, address: int | None) -> str:
        """`transpose<32>`, the function that an address belongs to; empty where it is not known."""
        place = self.places.get(address or 0)
        return place.function if place else ""

    def say(self, address: int | None) -> str:
        """`line 12`, or `line 12 of tile.h`."""
        place = self.places.get(address or 0)
        if place is None:
            return "an unknown line"
        return f"line {place.line}" if place.file == self.source.name else f"line {place.line} of {place.file}"


def function_name(signature: str) -> str:
    """`void copy<8, float>(float const*, int)` → `copy<8, float>`: without the type it returns and those of its parameters."""
    depth, start = 0, 0
    for at, character in enumerate(signature):
        depth += {"<": 1, ">": -1}.get(character, 0)
        if depth == 0 and character == " ":
            start = at + 1
        if depth == 0 and character == "(":
            return signature[start:at]
    return signature[start:]


def addresses_in(events: Iterable[Event]) -> set[int]:
    """Every code address that the events mention."""
    found: set[int] = set()
    for event in events:
        for key in ("pc", "other_pc", "object_pc", "freed_pc"):
            found.add(int(event.get(key) or 0))
        for group in _standing(event):
            found.add(group[2])
    return found


def problems_of(events: Iterable[Event], lines: Lines) -> list[Problem]:
    """The problems among the events of one run, in words."""
    return [_problem(event, lines) for event in events if event["event"] == "problem"]


_RACES = ("race", "missing-syncwarp")


def merge(problems: Iterable[Problem]) -> list[Problem]:
    """Of several runs, each problem once. Two lines that race between warps need no second word about lanes of one warp."""
    merged: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        pair = frozenset((problem.line, problem.other_line))
        if problem.kind == "missing-syncwarp" and ("race", problem.space, pair) in merged:
            continue
        if problem.kind == "race":
            merged.pop(("missing-syncwarp", problem.space, pair), None)
        merged.setdefault((problem.kind, problem.space, pair), problem)
    kinds = {problem.kind for problem in merged.values()}
    if kinds - {"timeout"}:
        merged.pop(("timeout", "", frozenset((None,))), None)
    racing = {(problem.space, line) for problem in merged.values() if problem.kind in _RACES for line in (problem.line, problem.other_line)}
    # Who reads before the writer came reads what is not initialized: one bug, told once.
    return [problem for problem in merged.values() if problem.kind != "uninitialized" or (problem.space, problem.line) not in racing]


_Speaker = Callable[[Problem, Event, Lines], Problem]

# --- the words --------------------------------------------------------------------------------------------------------

_SPACES = {
    "global": "global memory",
    "shared": "shared memory",
    "constant": "constant memory",
    "managed": "managed memory",
    "pinned": "pinned host memory",
    "local": "local memory",
    "host": "host memory",
}
_ACCESS = {"read": "reads", "write": "writes", "atomic": "updates atomically"}


def _thread(event: Event, role: str = "thread") -> str:
    """`thread (3,0,0) of block (1,0,0)`, shortened where the rest is zero."""
    at = event.get(role)
    if not at:
        return ""
    return f"thread {_triple(at[3:])} of block {_triple(at[:3])}"


def _triple(numbers: list[int]) -> str:
    shown = list(numbers)
    while len(shown) > 1 and shown[-1] == 0:
        shown.pop()
    return str(shown[0]) if len(shown) == 1 else f"({','.join(map(str, shown))})"


def _object(event: Event, lines: Lines) -> str:
    """`the shared variable tile (4096 bytes)` or `the 400 bytes allocated at line 20`."""
    size = event.get("object_bytes")
    if size is None:
        return ""
    count = f"{size} byte" if size == 1 else f"{size} bytes"
    name = event.get("object")
    if name == "dynamic shared memory":
        return f"the dynamic shared memory ({count})"
    if name:
        return f"`{name}` ({count})"
    return f"the {count} allocated at {lines.say(event.get('object_pc'))}"


def _past(event: Event, lines: Lines) -> str:
    """How far outside the object the access lies."""
    offset, size = int(event.get("offset", 0)), int(event.get("object_bytes", 0))
    if offset < 0:
        return f"{-offset} bytes before {_object(event, lines)}"
    if offset >= size:
        behind = offset - size
        return f"directly behind {_object(event, lines)}" if behind == 0 else f"{behind} bytes behind {_object(event, lines)}"
    return f"over the end of {_object(event, lines)}"


def _standing(event: Event) -> list[tuple[int, str, int]]:
    text = str(event.get("standing") or "")
    return [(int(n), what, int(site)) for n, what, site in (group.split("|") for group in text.split(";") if group)]


def _where_all_stand(event: Event, lines: Lines) -> str:
    parts = []
    for number, what, site in _standing(event):
        count = "1 thread" if number == 1 else f"{number} threads"
        parts.append(f"{count} {what}" + (f" ({lines.say(site)})" if site else ""))
    return ", ".join(parts)


def _problem(event: Event, lines: Lines) -> Problem:
    kind, space = str(event["kind"]), str(event.get("space") or "")
    line, other_line = lines.line(event.get("pc")), lines.line(event.get("other_pc"))
    found = Problem(kind, space, line, other_line, "")
    speak = _WORDS.get(kind)
    if speak is None:
        return replace(found, message=f"{kind} at {lines.say(event.get('pc'))}")
    return speak(found, event, lines)


def _race(found: Problem, event: Event, lines: Lines) -> Problem:
    space, between = _SPACES[found.space], event["between"]
    here, there = lines.say(event["pc"]), lines.say(event["other_pc"])
    target = _object(event, lines)
    where = f"{space}, byte {event['offset']} of {target}"
    if between == "host":
        who = f"kernel `{event['other_kernel']}` ({there})" if event.get("other_kernel") else f"`{event.get('other_what')}` ({there})"
        return replace(
            found,
            message=f"race in {where}: the host {_ACCESS[event['access']]} at {here} while {who}, launched before, may still run. "
            "Synchronize first: cudaDeviceSynchronize() or cudaStreamSynchronize().",
        )
    first = f"{_thread(event, 'other')} {_ACCESS[event['other_access']]} at {there}"
    second = f"{_thread(event)} {_ACCESS[event['access']]} at {here}"
    if between == "lanes" and event["pc"] == event["other_pc"] and event["access"] == event["other_access"] == "write":
        cure = "Two lanes of a warp write to one place in one instruction, and nothing says which comes last: give each its own, or use an atomic."
        return replace(found, message=f"race in {where}: {first}, {second}, and nothing orders them. {cure}")
    if between == "lanes":
        cure = "`volatile` does not order the lanes of a warp." if event.get("volatile") else "The lanes of a warp do not run in step."
        return replace(
            found,
            kind="missing-syncwarp",
            message=f"missing __syncwarp() in {where}: {first}, {second}, both lanes of one warp, with nothing between. {cure} "
            "Put __syncwarp() (or __syncthreads()) between the two.",
        )
    if event.get("block_scope"):
        cure = "An atomic of block scope (`_block`) is not atomic for other blocks: use the one of device scope."
    elif between == "warps":
        cure = "Put __syncthreads() between the two, or make the update atomic."
    elif between == "blocks":
        cure = "Blocks run in any order and at the same time: give each its own place, use an atomic, or launch a second kernel."
    else:
        cure = "The two run in different streams: order them with an event or a synchronization."
    return replace(found, message=f"race in {where}: {first}, {second}, and nothing orders them. {cure}")


def _out_of_bounds(found: Problem, event: Event, lines: Lines) -> Problem:
    who, what, here = _thread(event) or "the host", event.get("what"), lines.say(event.get("pc"))
    does = f"{_ACCESS[event['access']]} {event.get('bytes')} bytes"
    if event.get("call"):
        return replace(
            found,
            message=f"out of bounds in {_SPACES[found.space]}: {event['call']} at {here} {does}, {_from(event)}, which leaves {_object(event, lines)}.",
        )
    if what == "null":
        return replace(found, message=f"null pointer: {who} {does} at {here} through a pointer that points nowhere.")
    if what == "wild":
        return replace(found, message=f"wild pointer: {who} {does} at {here} through a pointer to no memory at all.")
    if what == "other-stack":
        return replace(found, message=f"out of bounds in local memory: {who} {does} at {here} in another thread's local memory.")
    if what == "other-block":
        return replace(found, message=f"out of bounds: {who} {does} at {here} in the shared memory of another block.")
    size = " The third argument of the launch says how large it is." if event.get("object") == "dynamic shared memory" else ""
    return replace(found, message=f"out of bounds in {_SPACES[found.space]}: {who} {does} at {here}, {_past(event, lines)}.{size}")


def _from(event: Event) -> str:
    offset = int(event.get("offset", 0))
    return "from its start" if offset == 0 else f"from byte {offset}"


def _freed(found: Problem, event: Event, lines: Lines) -> Problem:
    here, freed = lines.say(event.get("pc")), lines.say(event.get("freed_pc"))
    who = str(event.get("call") or _thread(event) or "the host")
    return replace(
        found,
        other_line=lines.line(event.get("freed_pc")),
        message=f"use after free in {_SPACES[found.space]}: {who} {_ACCESS[event['access']]} {event.get('bytes')} bytes at {here}, in "
        f"{_object(event, lines)}, which {freed} has freed.",
    )


def _uninitialized(found: Problem, event: Event, lines: Lines) -> Problem:
    return replace(
        found,
        message=f"uninitialized {_SPACES[found.space]}: {_thread(event)} {_ACCESS[event['access']]} at {lines.say(event['pc'])} byte "
        f"{event['offset']} of {_object(event, lines)}, which nobody has written.",
    )


def _misaligned(found: Problem, event: Event, lines: Lines) -> Problem:
    return replace(
        found,
        message=f"misaligned access in {_SPACES[found.space]}: {_thread(event)} {_ACCESS[event['access']]} {event['bytes']} bytes at "
        f"{lines.say(event['pc'])}, at byte {event['offset']} of {_object(event, lines)}. An access of {event['bytes']} bytes needs an address that "
        f"{event['bytes']} divides.",
    )


def _host_pointer(found: Problem, event: Event, lines: Lines) -> Problem:
    here = lines.say(event.get("pc"))
    if event.get("what") in ("call", "symbol"):
        return replace(
            found, message=f"host pointer: {event['call']} at {here} got an address in host memory where it needs one on the device."
        )
    what = "a variable of the host" if event.get("what") == "variable" else "host memory"
    return replace(
        found,
        message=f"host pointer in a kernel: {_thread(event)} {_ACCESS[event['access']]} {what} at {here}. A kernel reaches what cudaMalloc, "
        "cudaMallocManaged or cudaMallocHost gave, and `__device__` variables.",
    )


def _device_pointer(found: Problem, event: Event, lines: Lines) -> Problem:
    return replace(
        found,
        message=f"device pointer on the host: host code {_ACCESS[event['access']]} at {lines.say(event['pc'])} through a pointer to "
        f"{_object(event, lines)} on the device. Copy with cudaMemcpy first. The program stops here, as it would with a segmentation fault.",
    )


def _divergence(found: Problem, event: Event, lines: Lines) -> Problem:
    here = lines.say(event["pc"])
    if event["how"] == "lines":
        return replace(
            found,
            message=f"barrier divergence: {_thread(event)} waits at the __syncthreads() of {here} while {_thread(event, 'other')} waits at that of "
            f"{lines.say(event['other_pc'])}. All threads of a block have to come to the same one.",
        )
    return replace(
        found,
        message=f"barrier divergence: {event['here']} of {event['of']} threads come to the __syncthreads() of {here}; "
        f"{_thread(event, 'other')} goes around it. Move the barrier out of the branch: every thread of the block has to reach it.",
    )


def _deadlock(found: Problem, event: Event, lines: Lines) -> Problem:
    stand = _where_all_stand(event, lines)
    if event.get("how") == "spinning":
        return replace(
            found, message=f"deadlock: {_thread(event)} waits at {lines.say(event['pc'])} for something that nobody does. {stand}."
        )
    if event.get("how") == "endless":
        return replace(
            found, message=f"no end: {_thread(event)} was still running when time was up, near {lines.say(event['pc'])}. {stand}."
        )
    if event.get("how") == "silent":
        return replace(
            found,
            message=f"no end: {_thread(event)} has computed for {event['seconds']} s of processor time at {lines.say(event['pc'])} and touched no memory. "
            "A loop that waits for another thread has to read its variable each time, and the compiler reads a plain one once: "
            "make it volatile or use an atomic, with __threadfence().",
        )
    return replace(found, message=f"deadlock at {lines.say(event['pc'])}: {stand}.")


def _warp_mask(found: Problem, event: Event, lines: Lines) -> Problem:
    here, what, lane, mask = lines.say(event["pc"]), event["what"], event["lane"], f"0x{event['mask']:08x}"
    start = f"warp mask: {_thread(event)} is in {what} at {here} with mask {mask}"
    if event["how"] == "self":
        return replace(found, message=f"{start}, which does not name its own lane {lane}.")
    if event["how"] == "left":
        return replace(
            found,
            message=f"{start}, which names lane {lane}; that lane went around it and has ended. Every lane that the mask names has to take part.",
        )
    where = f", which waits at {lines.say(event.get('other_pc'))}" if event.get("other_pc") else ""
    return replace(
        found,
        message=f"{start}, which names lane {lane}{where}. Every lane that the mask names has to come to the same operation with the same mask; "
        "a GPU would hang here.",
    )


def _unchecked(found: Problem, event: Event, lines: Lines) -> Problem:
    here = lines.say(event["pc"])
    if event.get("launch"):
        return replace(
            found,
            message=f"launch error never checked: the launch of `{event['what']}` at {here} failed with {event['error']} ({event['detail']}), and "
            "the program never asked. Call cudaGetLastError() after the launch.",
        )
    return replace(
        found,
        message=f"error never checked: {event['what']} at {here} returned {event['error']} ({event['detail']}), and the program threw it away.",
    )


def _free(found: Problem, event: Event, lines: Lines) -> Problem:
    here, call = lines.say(event["pc"]), event.get("call")
    if found.kind == "double-free":
        return replace(
            found,
            message=f"double free: {call} at {here} frees {_object(event, lines)}, which {lines.say(event.get('other_pc'))} has freed already.",
        )
    target = f", {_past_or_inside(event, lines)}" if event.get("object_bytes") is not None else ""
    return replace(found, message=f"invalid free: {call} at {here} got a pointer that it cannot free{target}.")


def _past_or_inside(event: Event, lines: Lines) -> str:
    offset, size = int(event["offset"]), int(event["object_bytes"])
    return f"to byte {offset} of {_object(event, lines)}" if 0 <= offset < size else _past(event, lines)


def _direction(found: Problem, event: Event, lines: Lines) -> Problem:
    return replace(
        found,
        message=f"copy direction: {event['call']} at {lines.say(event['pc'])} says {event['detail']}, but the target is {event['to']} memory and the "
        f"source is {event['from']} memory.",
    )


def _simple(text: str) -> _Speaker:
    def speak(found: Problem, event: Event, lines: Lines) -> Problem:
        filled = text.format(
            here=lines.say(event.get("pc")),
            who=_thread(event) or "the host",
            detail=event.get("detail", ""),
            bytes=event.get("bytes", ""),
            signal=_SIGNALS.get(int(event.get("signal", 0)), "a signal"),
            object=_object(event, lines),
        )
        return replace(found, message=filled)

    return speak


_SIGNALS = {8: "an integer division by zero", 7: "a bus error", 11: "a segmentation fault"}
_WORDS: Mapping[str, _Speaker] = {
    "race": _race,
    "out-of-bounds": _out_of_bounds,
    "use-after-free": _freed,
    "uninitialized": _uninitialized,
    "misaligned": _misaligned,
    "host-pointer": _host_pointer,
    "device-pointer": _device_pointer,
    "barrier-divergence": _divergence,
    "deadlock": _deadlock,
    "warp-mask": _warp_mask,
    "unchecked-error": _unchecked,
    "double-free": _free,
    "invalid-free": _free,
    "copy-direction": _direction,
    "constant-written": _simple("constant memory is written: {who} writes to {object} at {here}. A kernel can only read it."),
    "assert": _simple("assertion failed at {here}: {who}: {detail}"),
    "trap": _simple("__trap() at {here}: {who} stopped the kernel."),
    "crash": _simple("{who} crashed with {signal} at {here}."),
    "timeout": _simple("the program was still running on the host when time was up."),
    "stack-overflow": _simple("local memory overflows: {who} needs more stack than there is, at {here}."),
    "not-covered": _simple(f"{{detail}}, at {{here}}, is not covered by the host run: {GPU_ONLY}"),
    "too-much-shared": _simple(
        "too much shared memory: with {here}, the block's static variables are {bytes} bytes; nvcc refuses more than 49152. "
        "Use dynamic shared memory and cudaFuncSetAttribute for more."
    ),
}

_NOTES: Mapping[str, str] = {
    "same-value": "{here} and {there} race, but every thread writes the same value: passes.",
    "left-early": "threads had returned before the __syncthreads() of {here}: fine since compute capability 7.0, which waits for those that still run.",
    "never-waited": "kernel `{detail}`, launched at {here}, was never waited for: the program ended first, so what it prints is lost.",
    "graph-never-launched": "what was captured at {here} has not run: its graph was never launched (cudaGraphInstantiate, cudaGraphLaunch).",
    "no-time": "cudaEventElapsedTime at {here} gives NaN: a CPU run has no GPU time.",
    "occupancy": "the occupancy at {here} counts threads and shared memory only: registers are known to nvcc, not to the host run.",
    "undefined-lane": "at {here} a lane reads from a lane that does not take part: the value is undefined, but no result hangs on it.",
}


def notes_of(events: Iterable[Event], lines: Lines, declared_same_value: frozenset[int], problems: Iterable[Problem]) -> list[str]:
    """The notes among the events, each once, in words. A line that declares its same-value writes needs none, nor does a race."""
    said: dict[str, None] = {}
    racing = {frozenset((problem.line, problem.other_line)) for problem in problems if problem.kind in _RACES}
    for event in events:
        if event["event"] != "note":
            continue
        pair = frozenset((lines.line(event["pc"]), lines.line(event["other_pc"])))
        if event["kind"] == "same-value" and (pair <= declared_same_value or pair in racing):
            continue
        text = _NOTES[str(event["kind"])]
        said[text.format(here=lines.say(event["pc"]), there=lines.say(event.get("other_pc")), detail=event.get("detail", ""))] = None
    return list(said)
