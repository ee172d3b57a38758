"""What to measure of a CUDA example, as its `// gpu:` lines say: the size, and what a launch has to move and to compute."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

LINE = re.compile(r"^// gpu:\s*(?P<options>.+?)\s*$", re.MULTILINE)
OPTION = re.compile(r"(?P<name>kernel|scale|bytes|flops)=(?P<value>\S+)")


@dataclass(frozen=True)
class Work:
    """The least a kernel has to move through device memory, in bytes, and its floating-point operations; 0 where it is not said."""

    bytes: int
    flops: int


@dataclass(frozen=True)
class Plan:
    """`scale` is what SCALE is defined as for the measurement; `work` is by kernel without template arguments, "" for all others."""

    scale: int
    work: dict[str, Work]

    def work_of(self, kernel: str) -> Work:
        name = kernel.split("<")[0]
        return self.work.get(name, self.work.get("", Work(0, 0)))


def gpu_plan(source: str) -> Plan | None:
    """None where the source says nothing: then its times are not taken. Raises `ValueError` where it says something else."""
    lines = [match["options"] for match in LINE.finditer(source)]
    if not lines:
        return None
    scales: set[int] = set()
    work: dict[str, Work] = {}
    for line in lines:
        options = dict(OPTION.findall(line))
        if OPTION.sub("", line).strip() or not options.get("scale", "").isdecimal():
            raise ValueError(f"`// gpu: {line}` is not of the form `// gpu: kernel=add scale=64 bytes=12*N*SCALE flops=2*N*SCALE`")
        scale = int(options["scale"])
        scales.add(scale)
        counted = {name: _value(options.get(name, "0"), scale) for name in ("bytes", "flops")}
        work[options.get("kernel", "")] = Work(**counted)
    if len(scales) != 1 or scales == {0}:
        raise ValueError("all `// gpu:` lines of a source name the same scale, 1 or more")
    return Plan(scales.pop(), work)


def _value(expression: str, scale: int) -> int:
    """Whole numbers and SCALE with + - * ** ( )."""

    def value(node: ast.expr) -> int:
        match node:
            case ast.Constant(int(number)):
                return number
            case ast.Name("SCALE"):
                return scale
            case ast.BinOp(left, ast.Add(), right):
                return value(left) + value(right)
            case ast.BinOp(left, ast.Sub(), right):
                return value(left) - value(right)
            case ast.BinOp(left, ast.Mult(), right):
                return value(left) * value(right)
            case ast.BinOp(left, ast.Pow(), right):
                return int(value(left) ** value(right))
        raise ValueError(f"`{expression}` holds something other than numbers, SCALE, + - * ** and brackets")

    try:
        return value(ast.parse(expression, mode="eval").body)
    except SyntaxError as error:
        raise ValueError(f"`{expression}` is no sum or product") from error
