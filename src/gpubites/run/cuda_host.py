"""The run of a CUDA source on the CPU host, as a recording: verdict, findings, output and memory figures."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import date
from pathlib import Path
from typing import Any

from gpubites.cudahost.build import Unusable, default_cache, find_compiler, host_code, program_key
from gpubites.cudahost.check import check_program
from gpubites.run.cuda import Skipped
from gpubites.run.recording import Recording, digests, sha256_of


def record_host(source: Path, today: date) -> Recording | Skipped:
    """What the checks say of `source`, right or wrong. `Skipped` where this machine cannot run the host."""
    try:
        compiler = find_compiler()
    except Unusable as reason:
        return Skipped(str(reason))
    report = _report(source)
    header: dict[str, object] = {
        "command": f"python -m gpubites cuda run {source.name} --trace",
        "kind": "host",
        "sources": digests([source]),
        "versions": {"compiler": compiler.version},
        "host": host_code(),
        "date": today.isoformat(),
        "verdict": report["verdict"],
        "problems": report["problems"],
        "notes": report["notes"],
        "trace": [{**line, "sample": _sample(line["sample"])} for line in report["trace"]],
    }
    return Recording(header, report["output"])


def comparable(recording: Recording, same_compiler: bool) -> dict[str, object]:
    """What a later run has to say again: all but date and host code; figures depend on the compiler's version as well."""
    names = ["sources", "verdict", "problems", "notes", *(["trace"] if same_compiler else [])]
    return {**{name: recording.header.get(name) for name in names}, "output": recording.body}


def _report(source: Path) -> dict[str, Any]:
    """From the cache, else from the host: the program, its compiler and all of the host's code are in the key."""
    key = hashlib.sha256(f"{program_key(source, find_compiler())}\0{sha256_of(Path(__file__))}".encode()).hexdigest()
    kept = default_cache() / f"{key}.report.json"
    if kept.is_file():
        cached: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        return cached
    report: dict[str, Any] = check_program(source, trace=True).as_json()
    kept.parent.mkdir(parents=True, exist_ok=True)
    whole = kept.with_suffix(f".{os.getpid()}")  # renamed when whole: another process may look at the same moment
    whole.write_text(json.dumps(report), encoding="utf-8")
    whole.replace(kept)
    return report


def _sample(offsets: list[int | None]) -> str:
    return " ".join("-" if offset is None else str(offset) for offset in offsets)
