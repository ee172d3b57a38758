"""One program under three schedules: what is wrong with it, what it prints, and what its memory accesses cost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from gpubites.cudahost.build import (
    INCLUDE,
    Compiler,
    DoesNotCompile,
    Program,
    Unusable,
    build,
    default_cache,
    find_compiler,
    readers_files,
    with_includes,
)
from gpubites.cudahost.coverage import refusals
from gpubites.cudahost.findings import Event, Lines, Problem, addresses_in, merge, notes_of, problems_of
from gpubites.cudahost.rewrite import NotCovered

SCHEDULES = ("forward", "reverse", "random")
SECONDS = 120
_DECLARED = re.compile(r"//.*\bcudahost:\s*same-value\b")


@dataclass(frozen=True)
class TraceLine:
    """What one line asks of one memory space, over the whole program, in one direction. A template's line has a row for each instance."""

    line: int
    space: str
    access: str  # load, store, atomic
    requests: int
    sectors: int
    wavefronts: int
    bytes_used: int
    bytes_moved: int
    lanes: int
    access_bytes: int = 0
    function: str = ""  # as it was compiled: `copy<8>`
    sample: tuple[int | None, ...] = ()  # byte offsets of the lanes of the costliest request

    def as_json(self) -> dict[str, object]:
        return {
            "line": self.line,
            "function": self.function,
            "space": self.space,
            "access": self.access,
            "access_bytes": self.access_bytes,
            "requests": self.requests,
            "sectors_per_request": _ratio(self.sectors, self.requests) if self.space != "shared" else None,
            "wavefronts_per_request": _ratio(self.wavefronts, self.requests) if self.space == "shared" else None,
            "bytes_used": self.bytes_used,
            "bytes_moved": self.bytes_moved,
            "active_lanes": _ratio(self.lanes, self.requests),
            "sample": list(self.sample),
        }


@dataclass(frozen=True)
class Report:
    """The verdict on a program and its reasons."""

    verdict: Literal["pass", "fail", "refused"]
    problems: list[Problem] = field(default_factory=list)
    output: str = ""
    notes: list[str] = field(default_factory=list)
    trace: list[TraceLine] = field(default_factory=list)

    @property
    def status(self) -> int:
        """The exit status of the command: 0 pass, 1 a problem, 2 refused."""
        return {"pass": 0, "fail": 1, "refused": 2}[self.verdict]

    def as_json(self) -> dict[str, object]:
        return {
            "verdict": self.verdict,
            "problems": [problem.as_json() for problem in self.problems],
            "output": self.output,
            "notes": self.notes,
            "trace": [line.as_json() for line in self.trace],
        }


@dataclass(frozen=True)
class _Run:
    """One execution: what it printed, how it ended, what the host wrote down."""

    schedule: str
    output: str
    errors: str
    status: int
    events: list[Event]

    @property
    def end(self) -> Event | None:
        return next((event for event in self.events if event["event"] == "end"), None)


def check_program(
    source: Path, *, trace: bool = False, compiler: Compiler | None = None, cache: Path | None = None, seconds: int = SECONDS
) -> Report:
    """Compiles and runs `source` on the CPU and says what is wrong with it. Raises nothing for a bad program."""
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        return _refused("unusable", None, f"{source} cannot be read: {failure}")
    uncovered = [(path, one) for path in with_includes(source) for one in refusals(path.read_text(encoding="utf-8", errors="replace"))]
    if uncovered:
        return Report("refused", [Problem("not-covered", "", one.line, None, _where(path, source) + str(one)) for path, one in uncovered])
    try:
        compiler = compiler or find_compiler()
        if trace and compiler.family != "g++":
            raise Unusable("the trace needs g++: clang++ takes vector accesses apart")
        program = build(source, compiler, cache or default_cache())
    except NotCovered as failure:
        return _refused("not-covered", failure.line, failure.what)
    except Unusable as failure:
        return _refused("unusable", None, str(failure))
    except DoesNotCompile as failure:
        return _does_not_compile(source, str(failure))
    return _judge(source, text, program, trace, seconds)


def _judge(source: Path, text: str, program: Program, trace: bool, seconds: int) -> Report:
    runs = [_execute(program.path, schedule, trace and schedule == "forward", seconds) for schedule in SCHEDULES]
    first = runs[0]
    again = None
    if any(run.end and run.end["undefined"] for run in runs):
        # A lane read a value that is not defined. Does anything hang on it? Then another one gives another result.
        again = _execute(program.path, "forward", False, seconds, undefined="0x55")
    events = [event for run in runs for event in run.events]
    lines = Lines(program.path, source, readers_files(source), INCLUDE, addresses_in(events))

    problems = merge(problem for run in runs for problem in problems_of(_relevant(run.events, program, lines), lines))
    uncovered = [problem for problem in problems if problem.kind == "not-covered"]
    if uncovered:
        return Report("refused", uncovered)
    notes = notes_of(events, lines, _declared_same_value(text), problems)
    if again and _differs(first, again):
        where = next(event for event in events if event["event"] == "note" and event["kind"] == "undefined-lane")
        notes = [note for note in notes if "the value is undefined" not in note]
        what = f"at {lines.say(where['pc'])} a lane reads from lane {where['detail']}, which does not take part"
        message = f"undefined value: {what}, and the result hangs on it."
        if not any(problem.kind == "warp-mask" for problem in problems):
            problems.append(Problem("warp-mask", "", lines.line(where["pc"]), None, message))
    for run in runs:
        if run.status and not problems:
            problems.append(_failed(run))
    if len({run.output for run in runs}) > 1 and not problems:
        notes.append("the output depends on the order in which threads run.")
    return Report("fail" if problems else "pass", problems, first.output, notes, _trace_of(first.events, lines))


def _relevant(events: Iterable[Event], program: Program, lines: Lines) -> list[Event]:
    """An API error counts as unchecked where the program throws the return value away; a launch has none."""
    return [
        event
        for event in events
        if event.get("kind") != "unchecked-error" or event.get("launch") or lines.line(event.get("pc")) in program.unchecked_lines
    ]


def _execute(program: Path, schedule: str, trace: bool, seconds: int, undefined: str = "0xFF") -> _Run:
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "events"
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TERM") if name in os.environ}
        environment = {
            **kept,
            "CUDAHOST_REPORT": str(written),
            "CUDAHOST_SCHEDULE": schedule,
            "CUDAHOST_SECONDS": str(seconds),
            "CUDAHOST_UNDEFINED": undefined,
            **({"CUDAHOST_TRACE": "1"} if trace else {}),
        }
        try:
            done = subprocess.run([program], capture_output=True, env=environment, timeout=seconds + 20, stdin=subprocess.DEVNULL)
            output, errors, status = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as late:
            output, errors, status = late.stdout or b"", late.stderr or b"", 124
        text = written.read_text(encoding="utf-8", errors="replace") if written.is_file() else ""
    events: list[Event] = [json.loads(line) for line in text.splitlines() if line.endswith("}")]
    return _Run(schedule, output.decode(errors="replace"), errors.decode(errors="replace"), status, events)


def _differs(a: _Run, b: _Run) -> bool:
    digests = [run.end["digest"] if run.end else None for run in (a, b)]
    return a.output != b.output or a.status != b.status or digests[0] != digests[1]


def _failed(run: _Run) -> Problem:
    how = f"was ended by signal {-run.status}" if run.status < 0 else f"ended with exit status {run.status}"
    said = run.errors.strip().splitlines() or run.output.strip().splitlines()
    last = f" It last said: {said[-1]}" if said else ""
    return Problem("program-failed", "", None, None, f"the program {how} under the schedule {run.schedule}.{last}")


def _declared_same_value(text: str) -> frozenset[int]:
    """Lines with the comment `// cudahost: same-value`."""
    return frozenset(number for number, line in enumerate(text.splitlines(), start=1) if _DECLARED.search(line))


def _trace_of(events: Iterable[Event], lines: Lines) -> list[TraceLine]:
    gathered: dict[tuple[int, str, str, str], list[dict[str, Any]]] = {}
    for event in events:
        line = lines.line(event.get("pc")) if event["event"] == "trace" else None
        if line is not None:
            key = (line, event["space"], event["access"], lines.function(event["pc"]))
            gathered.setdefault(key, []).append(dict(event))
    made = []
    for (line, space, access, function), parts in sorted(gathered.items()):

        def total(name: str, parts: list[dict[str, Any]] = parts) -> int:
            return sum(int(part[name]) for part in parts)

        heaviest = max(parts, key=lambda part: (part["sectors"] + part["wavefronts"]) / part["requests"])
        made.append(
            TraceLine(
                line,
                space,
                access,
                total("requests"),
                total("sectors"),
                total("wavefronts"),
                total("bytes_used"),
                total("bytes_moved"),
                total("lanes"),
                int(heaviest["size"]),
                function,
                tuple(heaviest["sample"]),
            )
        )
    return made


def _ratio(a: int, b: int) -> float:
    return round(a / b, 3)


def _where(path: Path, source: Path) -> str:
    return "" if path == source else f"in {path.name}: "


def _refused(kind: str, line: int | None, message: str) -> Report:
    return Report("refused", [Problem(kind, "", line, None, message)])


def _does_not_compile(source: Path, said: str) -> Report:
    errors = [text for text in said.splitlines() if re.search(r"\b(?:error|fatal error):", text)]
    found = []
    for text in errors[:10] or [said.splitlines()[0] if said else "the compiler failed"]:
        place = re.match(rf"{re.escape(source.name)}:(\d+):(?:\d+:)? (.*)", text)
        line = int(place[1]) if place else None
        found.append(Problem("does-not-compile", "", line, None, place[2] if place else text))
    return Report("refused", found)
