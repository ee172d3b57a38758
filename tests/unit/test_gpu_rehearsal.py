"""The way of an example to a GPU and back, with a driver, sensors and programs that stand in: everything but the GPU."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gpubites.cuda_example import gpu_run
from gpubites.gpu import record
from gpubites.gpu.admit import Admitted, admit, gpu_recording_path
from gpubites.gpu.pack import MEASURE, RECORDER
from gpubites.library import Library
from gpubites.run.recording import Recording, parse_recording, sha256_of

EXAMPLE = "snippets/memory-hierarchy/vector_copy.cu"
# Two kernels over 64 Mi floats, 8 bytes each: 0.2 ms is 2.7 TB/s, below the 4.8 TB/s of an H200.
BYTES = 8 * 16384 * 4096

DRIVER = """\
#include <string.h>
int cuInit(unsigned f) { return 0; }
int cuDeviceGet(int* d, int i) { *d = 0; return 0; }
int cuDeviceGetName(char* name, int n, int d) { strncpy(name, "NVIDIA H200", n); return 0; }
int cuDriverGetVersion(int* v) { *v = 13000; return 0; }
int cuDeviceGetAttribute(int* v, int what, int d) { *v = what == 75 ? 9 : what == 76 ? 0 : what; return 0; }
"""
SENSORS = """\
#!/bin/sh
case "$1" in *driver_version*) echo 580.65.06;; *) echo "1980, 3201, [N/A], 41";; esac
"""
PROGRAM = """\
#!/bin/sh
if [ -n "$GPU_TIMES" ]; then
  for kernel in _Z10copy_wordsPKfPfi _Z12copy_vectorsPK6float4PS_i; do
    echo '{"kernel": "'$kernel'", "grid": [262144, 1, 1], "block": [256, 1, 1], "dynamic": 0, "warm_ups": 3, "microseconds": [%TIMES%]}'
  done >> "$GPU_TIMES"
fi
printf '%OUTPUT%'
"""


@dataclass
class Machine:
    """A bundle that was unpacked, and the environment of the machine it lies on."""

    folder: Path
    env: dict[str, str]

    def record(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, self.folder / "record.py", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=self.env)

    @property
    def out(self) -> Path:
        return self.folder / "gpu-recordings.json"

    def recorded(self) -> dict[str, Any]:
        bundle: dict[str, Any] = json.loads(self.out.read_text())
        return bundle


def script(path: Path, text: str) -> dict[str, str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return {"path": path.name, "sha256": sha256_of(path)}


@pytest.fixture
def machine(tmp_path: Path, library: Library, root: Path) -> Callable[..., Machine]:
    """A GPU machine with as much as the recorder needs; `output` and `times` are what its programs print and take."""
    if shutil.which("gcc") is None or sys.platform != "linux":
        pytest.skip("the stand-in for the driver needs gcc on Linux")

    def made(output: str = "", times: str = "", examples: int = 1) -> Machine:
        folder, system = tmp_path / "gpu-bundle", tmp_path / "system"
        system.mkdir()
        (system / "driver.c").write_text(DRIVER)
        subprocess.run(["gcc", "-shared", "-o", system / "libcuda.so.1", system / "driver.c"], check=True)
        script(system / "nvidia-smi", SENSORS)
        snippet = library.snippets[EXAMPLE]
        assert snippet.recording and snippet.cuda and snippet.cuda.host
        said = (output or snippet.cuda.host.output).replace("\n", "\\n")
        text = PROGRAM.replace("%OUTPUT%", said).replace("%TIMES%", times or ", ".join(["200.0", "201.5", "199.0"] * 5))
        entry = {
            "source": sha256_of(root / EXAMPLE),
            "cubins": snippet.recording.header["cubins"],
            "program": script(folder / "vector_copy", text),
            "measured": {**script(folder / "vector_copy.measured", text), "scale": 4096, "cubins": {"sm_90": "0" * 64}},
        }
        manifest = {
            "format": record.FORMAT,
            "commit": "0" * 40,
            "nvcc": "13.5.37",
            "gxx": "12.2.0",
            "flags": ["-O3"],
            "glibc": "2.17",
            "measure": sha256_of(MEASURE),
            "architectures": ["sm_80", "sm_90", "sm_100"],
            "examples": {EXAMPLE: entry, **{f"snippets/unknown/{number}.cu": entry for number in range(1, examples)}},
        }
        (folder / "manifest.json").write_text(json.dumps(manifest))
        shutil.copy(RECORDER, folder / "record.py")
        return Machine(folder, {**os.environ, "LD_LIBRARY_PATH": str(system), "PATH": f"{system}:/usr/bin:/bin"})

    return made


@pytest.fixture
def take_in(library: Library, root: Path) -> Callable[[dict[str, Any]], Admitted]:
    return lambda bundle: admit(json.dumps(bundle), library.snippets, library.facts, root)


def signed(bundle: dict[str, Any]) -> dict[str, Any]:
    return {**bundle, "digest": record.digest(bundle)}


def test_an_example_goes_there_and_comes_back_as_a_recording(
    machine: Callable[..., Machine], take_in: Callable[[dict[str, Any]], Admitted], root: Path
) -> None:
    gpu = machine()
    done = gpu.record()
    assert done.returncode == 0, done.stderr
    admitted = take_in(gpu.recorded())
    assert admitted.problems == ()
    recording = parse_recording(admitted.recordings[EXAMPLE].text())
    run = gpu_run(recording)
    assert (run.gpu, run.driver, run.scale) == ("NVIDIA H200", "580.65.06", 4096)
    assert [(kernel.kernel, kernel.repeats, kernel.median, kernel.bytes) for kernel in run.kernels] == [
        ("copy_words", 15, 200.0, BYTES),
        ("copy_vectors", 15, 200.0, BYTES),
    ]
    assert recording.header["sensors_before"] == {"clocks.sm": 1980.0, "clocks.mem": 3201.0, "temperature.gpu": 41.0}
    assert gpu_recording_path(root / EXAMPLE, run.gpu).name == "vector_copy.recording.on-nvidia-h200.txt"
    assert isinstance(admitted.recordings[EXAMPLE], Recording)


def test_a_second_start_goes_on_where_the_first_stopped(machine: Callable[..., Machine]) -> None:
    gpu = machine(examples=3)
    stopped = gpu.record("--minutes", "0")
    assert stopped.returncode == 3
    assert "run the same command again" in stopped.stdout
    assert gpu.record().returncode == 0
    first = gpu.recorded()
    assert first["complete"]
    assert gpu.record().returncode == 0
    assert gpu.recorded() == first, "nothing is run twice"


def test_a_machine_without_a_driver_is_told_so(machine: Callable[..., Machine]) -> None:
    gpu = machine()
    gpu.env["LD_LIBRARY_PATH"] = "/nowhere"
    done = gpu.record()
    assert (done.returncode, done.stderr.split(" (")[0]) == (2, "there is no NVIDIA driver here")


def test_a_program_that_was_changed_is_not_run(machine: Callable[..., Machine]) -> None:
    gpu = machine()
    (gpu.folder / "vector_copy").write_text("#!/bin/sh\necho PASS\n")
    done = gpu.record()
    assert done.returncode == 2
    assert "is not the program that was packed" in done.stderr


def test_another_output_than_the_host_s_is_refused(machine: Callable[..., Machine], take_in: Callable[[dict[str, Any]], Admitted]) -> None:
    gpu = machine(output="PASS vector_copy: another line\n")
    gpu.record()
    admitted = take_in(gpu.recorded())
    assert not admitted.recordings
    assert "on the CPU host" in admitted.problems[0]


def test_a_rate_above_the_peak_is_refused(machine: Callable[..., Machine], take_in: Callable[[dict[str, Any]], Admitted]) -> None:
    gpu = machine(times=", ".join(["100.0"] * 15))
    gpu.record()
    admitted = take_in(gpu.recorded())
    assert not admitted.recordings
    assert "copy_words: 5,369 GB/s is above the 4,800 GB/s of the device" in admitted.problems[0]


def test_a_bundle_that_was_touched_is_refused(machine: Callable[..., Machine], take_in: Callable[[dict[str, Any]], Admitted]) -> None:
    gpu = machine()
    gpu.record()
    bundle = gpu.recorded()
    bundle["results"][EXAMPLE]["measured"]["kernels"][0]["microseconds"] = [150.0] * 15
    assert "digest" in take_in(bundle).problems[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda b: b["manifest"]["examples"][EXAMPLE].update(source="0" * 64), "changed since the bundle was packed"),
        (lambda b: b["manifest"]["examples"][EXAMPLE].update(cubins={}), "not the recorded one"),
        (lambda b: b["results"][EXAMPLE].update(sha256="0" * 64), "not the one that was packed"),
        (lambda b: b["results"][EXAMPLE].update(exit=1, stderr="illegal memory access"), "illegal memory access"),
        (lambda b: b["results"][EXAMPLE].pop("measured"), "measured run is missing"),
        (lambda b: b["results"][EXAMPLE]["measured"].update(kernels=[]), "took no time"),
        (lambda b: b["results"][EXAMPLE]["measured"]["kernels"][0].update(microseconds=[1.0]), "fewer than ten times"),
        (lambda b: b["gpu"].update(name="NVIDIA GeForce RTX 9999"), "no facts on"),
        (lambda b: b.update(recorder="0" * 64), "recorder changed"),
        (lambda b: b.pop("results"), "no bundle of GPU recordings"),
        (lambda b: b["results"].update({"snippets/none/here.cu": {}}), "no example of this project"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    change: Callable[[dict[str, Any]], object], said: str, machine: Callable[..., Machine], take_in: Callable[[dict[str, Any]], Admitted]
) -> None:
    gpu = machine()
    gpu.record()
    bundle = gpu.recorded()
    change(bundle)
    assert said in " ".join(take_in(signed(bundle)).problems)


def test_text_that_is_no_json_is_refused(library: Library, root: Path) -> None:
    assert "no bundle" in admit("PASS\n", library.snippets, library.facts, root).problems[0]
