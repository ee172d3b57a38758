"""`python -m gpubites cuda run FILE.cu`: the host on a reader's own file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from gpubites.cudahost.build import Unusable, find_compiler
from gpubites.cudahost.check import Report, TraceLine, check_program
from gpubites.cudahost.findings import Problem


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True)
    run = verbs.add_parser("run", help="run a CUDA program on the CPU and check it", description="Runs a CUDA program on the CPU.")
    run.add_argument("file", type=Path, help="the .cu file, a whole program")
    run.add_argument("--trace", action="store_true", help="also say what each line asks of memory")
    run.add_argument("--json", action="store_true", help="print one JSON object")
    run.add_argument("--compiler", default="g++", help="g++ (default) or clang++")


def run_command(options: argparse.Namespace) -> int:
    try:
        report = check_program(options.file, trace=options.trace, compiler=find_compiler(options.compiler))
    except Unusable as failure:
        report = Report("refused", [_unusable(str(failure))])
    print(json.dumps(report.as_json(), indent=2, ensure_ascii=False) if options.json else text_of(report, options.file))
    return report.status


def _unusable(message: str) -> Problem:
    return Problem("unusable", "", None, None, message)


def text_of(report: Report, source: Path) -> str:
    """The report as a reader of a terminal wants it."""
    parts = []
    if report.output:
        parts.append(report.output.rstrip("\n"))
    for problem in report.problems:
        where = f"{source.name}:{problem.line}" if problem.line else source.name
        parts.append(f"{where} {problem.message}")
    parts += [f"note: {note}" for note in report.notes]
    if report.trace:
        parts.append(trace_table(report.trace))
    verdicts = {
        "pass": "pass: no problem under the schedules forward, reverse and random",
        "fail": f"fail: {len(report.problems)} problem" + ("" if len(report.problems) == 1 else "s"),
        "refused": "refused: not run",
    }
    return "\n".join([*parts, verdicts[report.verdict]])


def trace_table(trace: list[TraceLine]) -> str:
    """One row per line, space, direction and instance of a template."""
    costs = ("sectors/request", "wavefronts/request", "bytes used", "bytes moved")
    head = ("line", "space", "access", "bytes", "requests", *costs, "lanes", "in")
    rows = [head]
    for t in trace:
        values = t.as_json()
        shown = [
            values[k] for k in ("line", "space", "access", "access_bytes", "requests", "sectors_per_request", "wavefronts_per_request")
        ]
        shown += [values[k] for k in ("bytes_used", "bytes_moved", "active_lanes", "function")]
        rows.append(tuple("-" if value is None else f"{value:g}" if isinstance(value, float) else str(value) for value in shown))  # type: ignore[arg-type]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
