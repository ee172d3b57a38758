"""Runs the programs beside it on a GPU and writes what they printed and how long their kernels took into one file.

    python3 record.py

Needs an NVIDIA driver and Python 3.11 or newer, nothing else: no compiler, no network, no package. Stops before eight minutes are
over; started again, it goes on where it stopped. Every program is the one that was packed: its hash is compared first.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FORMAT = 1
HERE = Path(__file__).resolve().parent
# A program that takes longer hangs.
LONGEST_RUN_S = 90
# The driver's numbers of what is asked about a device (CUdevice_attribute).
ATTRIBUTES = {
    "clock_khz": 13,
    "sms": 16,
    "memory_clock_khz": 36,
    "memory_bus_bits": 37,
    "l2_bytes": 38,
    "major": 75,
    "minor": 76,
}
SENSORS = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")


class Unusable(Exception):
    """This machine, or this bundle, cannot be used; the message says why and what to do."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Runs the programs of this bundle on the GPU and records them.")
    parser.add_argument("--out", type=Path, default=HERE / "gpu-recordings.json", help="where to write (default: beside this file)")
    parser.add_argument("--minutes", type=float, default=7.5, help="stop after this many (default: 7.5)")
    options = parser.parse_args(arguments)
    try:
        return _record(options.out, options.minutes * 60)
    except Unusable as refusal:
        print(refusal, file=sys.stderr)
        return 2


def _record(out: Path, seconds: float) -> int:
    begun = time.monotonic()
    manifest = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    _glibc_is_new_enough(manifest["glibc"])
    gpu = _gpu()
    if gpu["arch"] not in manifest["architectures"]:
        raise Unusable(f"these programs hold code for {', '.join(manifest['architectures'])}; {gpu['name']} is {gpu['arch']}")
    bundle = _begun_before(out, manifest, gpu) or {
        "format": FORMAT,
        "manifest": manifest,
        "recorder": _sha256(Path(__file__)),
        "gpu": gpu,
        "results": {},
    }
    examples = manifest["examples"]
    for number, (path, example) in enumerate(sorted(examples.items()), start=1):
        if path in bundle["results"]:
            continue
        if time.monotonic() - begun > seconds:
            print(f"{len(bundle['results'])} of {len(examples)} are recorded. Time is up: run the same command again to go on.")
            return 3
        bundle["results"][path] = _run(example)
        bundle["complete"] = len(bundle["results"]) == len(examples)
        _write(out, bundle)
        print(f"{number:3} of {len(examples)}  {path}  {bundle['results'][path]['stdout'].strip().splitlines()[-1:]}", flush=True)
    print(f"All {len(examples)} are recorded. Bring back {out}")
    return 0


def _run(example: dict[str, Any]) -> dict[str, Any]:
    """Once at the size that is shown, untouched; once at the size that is measured, where there is one."""
    result: dict[str, Any] = {"sensors_before": _sensors(), "date": datetime.now(UTC).isoformat(timespec="seconds")}
    result.update(_execute(example["program"], {}))
    if example["measured"]:
        with tempfile.TemporaryDirectory() as folder:
            times = Path(folder) / "times"
            measured: dict[str, Any] = _execute(example["measured"], {"GPU_TIMES": str(times)})
            lines = times.read_text(encoding="utf-8").splitlines() if times.is_file() else []
        measured["kernels"] = [json.loads(line) for line in lines]
        result["measured"] = measured
    result["sensors_after"] = _sensors()
    return result


def _execute(program: dict[str, str], more: dict[str, str]) -> dict[str, Any]:
    path = HERE / program["path"]
    if not path.is_file() or _sha256(path) != program["sha256"]:
        raise Unusable(f"{program['path']} is not the program that was packed: unpack the bundle again")
    path.chmod(0o755)
    try:
        # Modules are loaded at once: with lazy loading the first launch would pay for it.
        env = {**os.environ, **more, "CUDA_MODULE_LOADING": "EAGER"}
        done = subprocess.run([str(path)], capture_output=True, text=True, timeout=LONGEST_RUN_S, env=env, cwd=path.parent)
    except subprocess.TimeoutExpired:
        return {"exit": None, "stdout": "", "stderr": f"still running after {LONGEST_RUN_S} s", "sha256": program["sha256"]}
    return {"exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr, "sha256": program["sha256"]}


def _begun_before(out: Path, manifest: dict[str, Any], gpu: dict[str, Any]) -> dict[str, Any] | None:
    """What an earlier run left, if it was of this bundle on this GPU."""
    if not out.is_file():
        return None
    bundle: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    if bundle.get("manifest") != manifest:
        raise Unusable(f"{out} was recorded from another bundle: move it away, or name another with --out")
    if bundle["gpu"] != gpu:
        raise Unusable(f"{out} was recorded on {bundle['gpu']['name']}, driver {bundle['gpu']['driver']}: name another with --out")
    return bundle


def _write(out: Path, bundle: dict[str, Any]) -> None:
    """Whole or not at all. The digest is over everything else."""
    bundle.pop("digest", None)
    bundle["digest"] = digest(bundle)
    whole = out.with_suffix(".part")
    whole.write_text(json.dumps(bundle, indent=1), encoding="utf-8")
    whole.replace(out)


def digest(bundle: dict[str, Any]) -> str:
    """sha256 of the bundle without its digest, keys in order."""
    rest = {name: value for name, value in bundle.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _gpu() -> dict[str, Any]:
    """The first GPU, as the driver describes it."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise Unusable(f"there is no NVIDIA driver here ({error})") from None

    def ask(name: str, *arguments: Any) -> None:
        code = getattr(cuda, name)(*arguments)
        if code != 0:
            raise Unusable(f"the driver answers {name} with error {code}: is there a GPU, and is it free?")

    device, version, value = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    name = ctypes.create_string_buffer(100)
    ask("cuInit", 0)
    ask("cuDeviceGet", ctypes.byref(device), 0)
    ask("cuDeviceGetName", name, len(name), device)
    ask("cuDriverGetVersion", ctypes.byref(version))
    numbers = {}
    for attribute, number in ATTRIBUTES.items():
        ask("cuDeviceGetAttribute", ctypes.byref(value), number, device)
        numbers[attribute] = value.value
    arch = f"sm_{numbers.pop('major')}{numbers.pop('minor')}"
    driver = (_smi("driver_version") or ["unknown"])[0]
    cuda_version = f"{version.value // 1000}.{version.value % 1000 // 10}"
    return {"name": name.value.decode(), "arch": arch, "driver": driver, "cuda": cuda_version, **numbers}


def _sensors() -> dict[str, float]:
    """MHz, W and degrees Celsius; empty where there is no nvidia-smi."""
    found = {}
    for name, text in zip(SENSORS, _smi(*SENSORS), strict=False):
        try:
            found[name] = float(text)
        except ValueError:
            continue  # "[N/A]": this GPU does not tell
    return found


def _smi(*fields: str) -> list[str]:
    if shutil.which("nvidia-smi") is None:
        return []
    command = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", "--id=0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    return [cell.strip() for cell in done.stdout.splitlines()[0].split(",")] if done.returncode == 0 and done.stdout else []


def _glibc_is_new_enough(needed: str) -> None:
    said = os.confstr("CS_GNU_LIBC_VERSION") if hasattr(os, "confstr") else ""
    here = (said or "glibc 0.0").split()[-1]
    if [int(n) for n in here.split(".")[:2]] < [int(n) for n in needed.split(".")]:
        raise Unusable(f"these programs need glibc {needed}, this machine has {here}: pack them on an older system")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
