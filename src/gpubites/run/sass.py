"""The machine code of a CUDA source, each instruction beside the source line it was made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What moves data or makes threads wait: the instructions that a reader looks for.
TELLING = frozenset(
    {"LDG", "STG", "LDS", "STS", "LDSM", "STSM", "LDL", "STL", "LDGSTS", "LDGDEPBAR", "DEPBAR"}
    | {"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "MEMBAR"}
    | {"SHFL", "VOTE", "VOTEU", "MATCH", "BAR", "WARPSYNC"}
    | {"HMMA", "IMMA", "DMMA", "HGMMA", "UTCHMMA"}
)


@dataclass(frozen=True)
class Instruction:
    """`line` is the source's, or 0 where the code comes from a header only."""

    kernel: str
    line: int
    text: str

    @property
    def opcode(self) -> str:
        """Without guard and operands: `LDG.E.128`."""
        return re.sub(r"^@!?U?P(?:\d|T) +", "", self.text).split(" ", 1)[0]

    @property
    def telling(self) -> bool:
        return self.opcode.split(".")[0] in TELLING and not self.text.startswith("@!PT")


def listing(nvdisasm: str, source_name: str) -> list[Instruction]:
    """What `nvdisasm -gi -c` printed, as values: names mangled, padding left out."""
    found: list[Instruction] = []
    kernel, line = "", 0
    for text in nvdisasm.splitlines():
        if section := re.match(r"//-+ \.text\.(\S+)\s+-+", text):
            kernel, line = section[1], 0
        elif text.lstrip().startswith("//## File"):
            line = _line_of(text, source_name)
        elif instruction := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", text):
            found.append(Instruction(kernel, line, re.sub(r"\s+", " ", instruction[1])))
    return [instruction for instruction in found if not instruction.text.startswith("NOP")]


def _line_of(mark: str, source_name: str) -> int:
    """The innermost place in the source itself: what a header inlines belongs to the line that calls it."""
    for path, line in re.findall(r'"([^"]*)", line (\d+)', mark):
        if path.rsplit("/", 1)[-1] == source_name:
            return int(line)
    return 0


def sass_text(instructions: list[Instruction]) -> str:
    """The recorded form: a kernel's name, then `line  instruction`."""
    lines: list[str] = []
    kernel = None
    for instruction in instructions:
        if instruction.kernel != kernel:
            kernel = instruction.kernel
            lines += ["", kernel] if lines else [kernel]
        lines.append(f"{instruction.line or '-':>6}  {instruction.text}")
    return "\n".join([*lines, ""])


def parse_sass(text: str) -> Iterator[Instruction]:
    """The inverse of `sass_text`. Raises `ValueError` where a line is neither a kernel nor an instruction."""
    kernel = ""
    for line in text.splitlines():
        if not line.strip():
            continue
        if not line.startswith(" "):
            kernel = line
            continue
        number, _, instruction = line.strip().partition("  ")
        if not kernel or not instruction:
            raise ValueError(f"`{line}` is no instruction of a kernel")
        yield Instruction(kernel, 0 if number == "-" else int(number), instruction)
