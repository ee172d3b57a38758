"""Checks what came back from a GPU machine against this project, and turns it into recordings."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpubites.cuda_example import Timed
from gpubites.facts import Fact
from gpubites.gpu import record
from gpubites.gpu.pack import MEASURE, RECORDER
from gpubites.gpu.plan import gpu_plan
from gpubites.run.cuda import compile_facts, short_name
from gpubites.run.recording import Recording, sha256_of
from gpubites.snippet import Snippet

# What the driver calls a GPU → how its facts begin. A GPU that is not here has no peak to hold a rate against.
FACTS_OF = {
    r"\bA100-SXM4-40GB\b": "a100-40-sxm",
    r"\bA100-SXM4-80GB\b": "a100-80-sxm",
    r"\bH100 80GB HBM3\b": "h100-sxm",
    r"\bH200\b": "h200",
    r"\bB200\b": "b200",
}
TFLOP, GB = 1e12, 1e9


@dataclass(frozen=True)
class Peaks:
    """Of one GPU: bytes per second of its memory, operations per second in FP32 and on Tensor Cores."""

    memory: float
    fp32: float
    tensor: float


@dataclass(frozen=True)
class Admitted:
    """`recordings` is path → recording for every example that passed; `problems` says what is wrong with the rest, or with all."""

    recordings: dict[str, Recording]
    problems: tuple[str, ...]


def admit(text: str, snippets: Mapping[str, Snippet], facts: Mapping[str, Fact], root: Path) -> Admitted:
    """Never raises. An example with a problem gets no recording; a bundle that cannot be trusted gives none."""
    try:
        bundle: dict[str, Any] = json.loads(text)
        gpu, manifest, results = bundle["gpu"], bundle["manifest"], bundle["results"]
        said = {"format": bundle["format"], "recorder": bundle["recorder"], "measure": manifest["measure"]}
        intact = bundle["digest"] == record.digest(bundle)
    except (ValueError, KeyError, TypeError) as error:
        return Admitted({}, (f"this is no bundle of GPU recordings ({error!r})",))
    if not intact:
        return Admitted({}, ("the bundle's digest does not fit its content: it was changed or cut off after it was recorded",))
    wanted = {"format": record.FORMAT, "recorder": sha256_of(RECORDER), "measure": sha256_of(MEASURE)}
    stale = [name for name in wanted if said[name] != wanted[name]]
    if stale:
        return Admitted({}, (f"{', '.join(stale)} changed since the bundle was packed: make gpu-bundle, and record again",))
    peaks = peaks_of(gpu["name"], facts)
    if not peaks:
        return Admitted(
            {}, (f"there are no facts on `{gpu['name']}`: without its peak no rate can be checked (src/gpubites/gpu/admit.py)",)
        )

    recordings: dict[str, Recording] = {}
    problems: list[str] = []
    for path, result in sorted(results.items()):
        snippet, packed = snippets.get(path), manifest["examples"].get(path)
        if not snippet or not packed:
            problems.append(f"{path} is no example of this project")
            continue
        try:
            timed = _timed(snippet, result)
            found = [*_problems(snippet, packed, result, gpu, root), *_beyond_peak(snippet, timed, peaks)]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problems.append(f"{path}: its result cannot be read ({error!r})")
            continue
        problems += [f"{path}: {problem}" for problem in found]
        if not found:
            recordings[path] = _recording(packed, result, bundle, timed)
    return Admitted(recordings, tuple(problems))


def gpu_recording_path(source: Path, gpu: str) -> Path:
    """`saxpy.cu` on an NVIDIA H200 → `saxpy.recording.on-nvidia-h200.txt`, beside it."""
    slug = re.sub(r"[^a-z0-9]+", "-", gpu.lower()).strip("-")
    return source.with_name(f"{source.stem}.recording.on-{slug}.txt")


def peaks_of(gpu: str, facts: Mapping[str, Fact]) -> Peaks | None:
    """From the facts of a GPU by the driver's name for it; None where one is missing."""
    for name, prefix in FACTS_OF.items():
        if re.search(name, gpu):
            values = [facts[f"{prefix}-{fact}"].value if f"{prefix}-{fact}" in facts else None for fact in ("mem-bw", "fp32", "bf16-dense")]
            units = [facts[f"{prefix}-{fact}"].unit if f"{prefix}-{fact}" in facts else "" for fact in ("mem-bw",)]
            if None in values:
                return None
            memory, fp32, tensor = (value for value in values if value is not None)
            return Peaks(memory * (1000 * GB if units[0] == "TB/s" else GB), fp32 * TFLOP, tensor * TFLOP)
    return None


def _problems(snippet: Snippet, packed: dict[str, Any], result: dict[str, Any], gpu: dict[str, Any], root: Path) -> list[str]:
    found: list[str] = []
    if packed["source"] != sha256_of(root / snippet.path):
        found.append("changed since the bundle was packed: make gpu-bundle, and record again")
    cubins = snippet.recording.header.get("cubins") if snippet.recording else None
    if packed["cubins"] != cubins or gpu["arch"] not in packed["cubins"]:
        found.append("the machine code that ran is not the recorded one")
    if result["sha256"] != packed["program"]["sha256"]:
        found.append("the program that ran is not the one that was packed")
    if result["exit"] != 0:
        found.append(f"it failed on the GPU (exit status {result['exit']}): {(result['stderr'] or result['stdout']).strip()[-300:]}")
    host = snippet.cuda.host if snippet.cuda else None
    if host and host.verdict == "pass" and result["stdout"] != host.output:
        found.append(f"it printed `{result['stdout'].strip()}`, and `{host.output.strip()}` on the CPU host")
    measured = result.get("measured")
    if (measured is not None) != (packed["measured"] is not None):
        found.append("its measured run is missing, or was never packed")
    elif measured:
        if measured["sha256"] != packed["measured"]["sha256"]:
            found.append("the measured program that ran is not the one that was packed")
        if measured["exit"] != 0 or not measured["stdout"].splitlines()[-1:][0].startswith("PASS"):
            found.append(f"its measured run failed: {(measured['stderr'] or measured['stdout']).strip()[-300:]}")
        if not measured["kernels"]:
            found.append("its measured run took no time of any kernel")
    return found


def _timed(snippet: Snippet, result: dict[str, Any]) -> tuple[Timed, ...]:
    """Raises `ValueError` where a time is none."""
    plan, measured = gpu_plan(snippet.text), result.get("measured")
    if not measured or not plan:
        return ()
    timed = []
    for entry in measured["kernels"]:
        times = sorted(float(time) for time in entry["microseconds"])
        if len(times) < 10 or times[0] <= 0:
            raise ValueError("fewer than ten times, or one that is not above zero")
        tenths = statistics.quantiles(times, n=10, method="inclusive")
        kernel = short_name(entry["kernel"])
        work = plan.work_of(kernel)
        x, y, z = entry["grid"]
        threads_x, threads_y, threads_z = entry["block"]
        timed.append(
            Timed(
                kernel=kernel,
                blocks=x * y * z,
                threads=threads_x * threads_y * threads_z,
                repeats=len(times),
                median=round(statistics.median(times), 3),
                p10=round(tenths[0], 3),
                p90=round(tenths[8], 3),
                bytes=work.bytes,
                flops=work.flops,
            )
        )
    return tuple(timed)


def _beyond_peak(snippet: Snippet, timed: tuple[Timed, ...], peaks: Peaks) -> list[str]:
    assert snippet.recording, "checked before: its cubins are the recorded ones"
    on_tensor_cores = {fact.kernel for fact in compile_facts(snippet.recording) if fact.mma}
    found = []
    for kernel in timed:
        per_second = 1e6 / kernel.p10
        flops = peaks.tensor if kernel.kernel in on_tensor_cores else peaks.fp32
        if kernel.bytes * per_second > peaks.memory:
            found.append(
                f"{kernel.kernel}: {kernel.bytes * per_second / GB:,.0f} GB/s is above the {peaks.memory / GB:,.0f} GB/s of the device"
            )
        if kernel.flops * per_second > flops:
            found.append(
                f"{kernel.kernel}: {kernel.flops * per_second / TFLOP:,.1f} TFLOP/s is above the {flops / TFLOP:,.1f} of the device"
            )
    return found


def _recording(packed: dict[str, Any], result: dict[str, Any], bundle: dict[str, Any], timed: tuple[Timed, ...]) -> Recording:
    gpu, manifest = bundle["gpu"], bundle["manifest"]
    name = Path(packed["program"]["path"]).name
    plan = packed["measured"] or {}
    header: dict[str, object] = {
        "command": f"./{name}",
        "kind": "gpu",
        "sources": {f"{name}.cu": packed["source"]},
        "gpu": gpu,
        "date": result["date"],
        "commit": manifest["commit"],
        "versions": {"nvcc": manifest["nvcc"], "g++": manifest["gxx"]},
        "flags": " ".join(manifest["flags"]),
        "cubin": packed["cubins"][gpu["arch"]],
        "program": result["sha256"],
        "recorder": bundle["recorder"],
        "exit": result["exit"],
        "scale": plan.get("scale", 1),
        "measured_program": plan.get("sha256", ""),
        "measured_cubin": plan.get("cubins", {}).get(gpu["arch"], ""),
        "harness": manifest["measure"],
        "method": "CUDA events around one launch; device memory restored and L2 overwritten before each" if timed else "not measured",
        "warm_ups": result["measured"]["kernels"][0]["warm_ups"] if timed else 0,
        "kernels": [asdict(kernel) for kernel in timed],
        "sensors_before": result["sensors_before"],
        "sensors_after": result["sensors_after"],
    }
    return Recording(header, result["stdout"])
