"""A compute lab: a WGSL file whose opening comments say what it is given, in which passes it runs, and what it is checked against.

    // input values: 16384 u32 below 100
    // scratch sums: 64 u32
    // output total: 1 u32
    // pass partial_sums: 64 workgroups
    // pass final_sum: 1 workgroup
    // check total: sum of values

Each buffer is a storage buffer of group 0, at the binding of its place in the list. Inputs are filled with pseudo-random whole numbers,
which a `f32` holds exactly; scratch and output begin as zeros. The passes run one after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isqrt

from gpubites.problem import Wrong

# What every WebGPU device offers (the specification's default limits), and 16 MiB: more would teach nothing more.
MOST_WORKGROUPS = 65_535
MOST_BUFFERS = 8
MOST_VALUES = 4_194_304
# Check → how many inputs it takes.
CHECKS = {"sum": 1, "prefix sum": 1, "histogram": 1, "matrix product": 2}
FORM = "// input values: 16384 u32 below 100"

LINE = re.compile(r"^// (?P<word>input|scratch|output|pass|check)\b(?P<rest>.*)$")
BUFFER = re.compile(r"^ (?P<name>[a-z]\w*): (?P<count>[1-9]\d*) (?P<type>u32|f32)(?: below (?P<below>[1-9]\d*))?$")
PASS = re.compile(r"^ (?P<entry>[a-z]\w*): (?P<x>[1-9]\d*)(?: x (?P<y>[1-9]\d*))? workgroups?$")
CHECK = re.compile(rf"^ (?P<output>[a-z]\w*): (?P<what>{'|'.join(CHECKS)}) of (?P<one>[a-z]\w*)(?: and (?P<two>[a-z]\w*))?$")
FORMS = {
    "input": FORM,
    "scratch": "// scratch sums: 64 u32",
    "output": "// output total: 1 u32",
    "pass": "// pass partial_sums: 64 workgroups",
    "check": "// check total: sum of values",
}


@dataclass(frozen=True)
class Buffer:
    """`role` is input, scratch or output; `count` values of `type`; an input's are whole numbers from 0 and under `below`."""

    role: str
    name: str
    count: int
    type: str
    below: int


@dataclass(frozen=True)
class Pass:
    """One dispatch of an entry point."""

    entry: str
    workgroups: tuple[int, int]


@dataclass(frozen=True)
class Check:
    """What `output` has to hold, computed from `inputs` on the CPU: one of `CHECKS`."""

    output: str
    what: str
    inputs: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """What the page and the recorder do with a lab."""

    buffers: tuple[Buffer, ...]
    passes: tuple[Pass, ...]
    check: Check | None
    wrong: tuple[Wrong, ...] = field(default=(), compare=False)

    def buffer(self, name: str) -> Buffer | None:
        return next((buffer for buffer in self.buffers if buffer.name == name), None)

    def as_data(self) -> dict[str, object]:
        """For the page (web/core/compute.js, `Plan`)."""
        return {
            "buffers": [{"role": b.role, "name": b.name, "count": b.count, "type": b.type, "below": b.below} for b in self.buffers],
            "passes": [{"entry": one.entry, "workgroups": list(one.workgroups)} for one in self.passes],
            "check": {"output": self.check.output, "what": self.check.what, "inputs": list(self.check.inputs)} if self.check else None,
        }


def read_plan(text: str) -> Plan:
    """Reads the comments. Never fails: what is wrong is in `wrong`, for the rules to tell."""
    buffers: list[Buffer] = []
    passes: list[Pass] = []
    check: Check | None = None
    wrong: list[Wrong] = []
    places: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        said = LINE.match(line)
        if not said:
            continue
        word, rest = said["word"], said["rest"]
        if word in ("input", "scratch", "output") and (found := BUFFER.match(rest)):
            buffer = Buffer(word, found["name"], int(found["count"]), found["type"], int(found["below"] or 0))
            if buffer.name in places:
                wrong.append(Wrong(number, f"there are two buffers `{buffer.name}`", "name each once"))
            if (word == "input") != bool(buffer.below):
                wrong.append(Wrong(number, f"an {word} is filled" if word == "input" else f"{word} begins as zeros", FORMS[word]))
            places[buffer.name] = number
            buffers.append(buffer)
        elif word == "pass" and (found := PASS.match(rest)):
            passes.append(Pass(found["entry"], (int(found["x"]), int(found["y"] or 1))))
            places[f"pass {found['entry']}"] = number
        elif word == "check" and (found := CHECK.match(rest)):
            if check:
                wrong.append(Wrong(number, "there are two checks", "keep one: one output is checked"))
            check = Check(found["output"], found["what"], tuple(name for name in (found["one"], found["two"]) if name))
            places["check"] = number
        else:
            wrong.append(Wrong(number, f"`{line}` has another form", FORMS[word]))
    plan = Plan(tuple(buffers), tuple(passes), check)
    # One mistake is told once: what does not hold together is told of a plan that could be read.
    return Plan(plan.buffers, plan.passes, check, tuple(wrong or _apart(plan, text, places)))


def _apart(plan: Plan, text: str, places: dict[str, int]) -> Iterator[Wrong]:
    """What does not hold together."""
    outputs = [buffer for buffer in plan.buffers if buffer.role == "output"]
    if len(outputs) != 1:
        yield Wrong(1, f"there are {len(outputs)} outputs, one is shown and checked", FORMS["output"])
    if not plan.passes:
        yield Wrong(1, "no pass is said to run", FORMS["pass"])
    if not plan.check:
        yield Wrong(1, "nothing says what is right", FORMS["check"])
    if len(plan.buffers) > MOST_BUFFERS:
        yield Wrong(1, f"there are {len(plan.buffers)} buffers, at most {MOST_BUFFERS} may be bound", "put two into one")
    for place, buffer in enumerate(plan.buffers):
        if buffer.count > MOST_VALUES:
            yield Wrong(places[buffer.name], f"`{buffer.name}` has {buffer.count} values, at most {MOST_VALUES}", "make it smaller")
        access = "read" if buffer.role == "input" else "read_write"
        declared = rf"@group\(0\)\s*@binding\({place}\)\s*var<storage,\s*{access}>\s*{buffer.name}\s*:"
        if not re.search(declared, text):
            hint = f"@group(0) @binding({place}) var<storage, {access}> {buffer.name}: array<{buffer.type}>;"
            yield Wrong(places[buffer.name], f"`{buffer.name}` is not declared at its binding", hint)
    for one in plan.passes:
        if max(one.workgroups) > MOST_WORKGROUPS:
            yield Wrong(places[f"pass {one.entry}"], f"at most {MOST_WORKGROUPS} workgroups in a direction", "let each do more")
        if not re.search(rf"\bfn\s+{one.entry}\s*\(", text):
            yield Wrong(places[f"pass {one.entry}"], f"there is no function `{one.entry}`", f"fn {one.entry}(…)")
    if plan.check:
        yield from (Wrong(places["check"], message, FORMS["check"]) for message in _unfit(plan, plan.check))


def _unfit(plan: Plan, check: Check) -> Iterator[str]:
    """Why the check cannot be made."""
    output, inputs = plan.buffer(check.output), [plan.buffer(name) for name in check.inputs]
    if not output or output.role != "output":
        yield f"`{check.output}` is no output"
        return
    if len(inputs) != CHECKS[check.what]:
        yield f"a {check.what} is of {CHECKS[check.what]} input{'s' if CHECKS[check.what] > 1 else ''}"
        return
    given = [buffer for buffer in inputs if buffer and buffer.role == "input"]
    if len(given) != len(inputs):
        yield f"`{'` or `'.join(check.inputs)}` is no input"
        return
    wanted = {"sum": 1, "prefix sum": given[0].count, "histogram": given[0].below, "matrix product": given[0].count}[check.what]
    if output.count != wanted:
        yield f"`{output.name}` has {output.count} values, a {check.what} has {wanted}"
    if check.what == "matrix product" and (isqrt(wanted) ** 2 != wanted or given[1].count != wanted):
        yield "a matrix product is of two square matrices of one size"
    # Every sum on the way is a whole number that the type holds, so that the order of the additions changes nothing.
    terms = isqrt(wanted) if check.what == "matrix product" else given[0].count
    largest = terms * (given[0].below - 1) * (given[1].below - 1 if len(given) > 1 else 1)
    if check.what != "histogram" and largest >= (2**24 if output.type == "f32" else 2**32):
        yield f"a {output.type} does not hold every {check.what} of these inputs exactly"
