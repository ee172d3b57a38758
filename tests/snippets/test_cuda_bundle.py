"""Programs for a GPU machine: the same bytes from every folder, the recorded machine code inside, kernels timed by the wrapper."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from gpubites.gpu.pack import CannotPack, build, pack
from gpubites.library import Library
from gpubites.run.cuda import Skipped, Toolkit, pinned_toolkit
from gpubites.run.recording import parse_recording, recording_path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = "snippets/memory-hierarchy/vector_copy.cu"
# What the wrapper asks of a runtime beyond what the examples ask.
MORE_RUNTIME = 'extern "C" int cudaDeviceGetAttribute(int* value, int, int) { *value = 1 << 20; return 0; }\n'


@pytest.fixture(scope="session")
def toolkit() -> Toolkit:
    toolkit = pinned_toolkit(ROOT)
    if isinstance(toolkit, Skipped):
        pytest.skip(toolkit.reason)
    return toolkit


def test_another_folder_gets_the_same_program(tmp_path: Path, toolkit: Toolkit) -> None:
    here = build(ROOT / EXAMPLE, 1, toolkit)
    (tmp_path / "elsewhere").mkdir()
    copied = Path(shutil.copy(ROOT / EXAMPLE, tmp_path / "elsewhere"))
    there = build(copied, 1, replace(toolkit, cache=tmp_path / "empty" / "cuda"))
    assert there.sha256 == here.sha256


def test_the_machine_code_inside_is_the_recorded_one(toolkit: Toolkit) -> None:
    recorded = parse_recording(recording_path(ROOT / EXAMPLE).read_text()).header["cubins"]
    assert build(ROOT / EXAMPLE, 1, toolkit).cubins == recorded


def test_a_bundle_holds_programs_recorder_and_manifest(library: Library, toolkit: Toolkit) -> None:
    packed = pack([library.snippets[EXAMPLE]], ROOT, toolkit, "0" * 40)
    assert packed == pack([library.snippets[EXAMPLE]], ROOT, toolkit, "0" * 40)
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        names = tar.getnames()
        manifest = json.load(tar.extractfile("gpu-bundle/manifest.json") or io.BytesIO())
    stem = "gpu-bundle/programs/memory-hierarchy/vector_copy"
    assert names == ["gpu-bundle/manifest.json", stem, f"{stem}.measured", "gpu-bundle/record.py"]
    assert manifest["examples"][EXAMPLE]["measured"]["scale"] == 4096


def test_a_stale_example_is_not_packed(library: Library, toolkit: Toolkit) -> None:
    with pytest.raises(CannotPack, match="make record"):
        pack([replace(library.snippets[EXAMPLE], fresh=False)], ROOT, toolkit, "0" * 40)


def test_the_wrapper_times_each_kernel_and_leaves_the_program_alone(tmp_path: Path, toolkit: Toolkit) -> None:
    from gpubites.gpu.pack import LINK, MEASURE
    from gpubites.run.cuda import NO_GPU_RUNTIME

    source = ROOT / "snippets" / "coalescing" / "particle_layout.cu"
    nvcc = [toolkit.bin / "nvcc", "-std=c++17", "-arch=sm_90", "-c", "-o", tmp_path / "example.o", source.name]
    subprocess.run(nvcc, cwd=source.parent, check=True, env={"PATH": "/usr/bin:/bin"})
    (tmp_path / "more.cpp").write_text(MORE_RUNTIME)
    include = f"-I{toolkit.bin.parent / 'include'}"
    parts = [tmp_path / "example.o", MEASURE, tmp_path / "more.cpp"]
    subprocess.run(["g++", "-std=c++17", "-c", "-o", tmp_path / "runtime.o", NO_GPU_RUNTIME], check=True)
    subprocess.run(["g++", "-std=c++17", include, *LINK, "-o", tmp_path / "program", *parts, tmp_path / "runtime.o"], check=True)

    seen, times = tmp_path / "launches", tmp_path / "times"
    untouched = subprocess.run([tmp_path / "program"], env={"LAUNCHES": str(seen)}, capture_output=True, text=True)
    assert not times.exists()
    assert [line.split()[0] for line in seen.read_text().splitlines()] == ["_Z12move_structsP8Particleif", "_Z11move_fieldsPfif"]

    seen.unlink()
    measured = subprocess.run(
        [tmp_path / "program"], env={"LAUNCHES": str(seen), "GPU_TIMES": str(times)}, capture_output=True, text=True
    )
    assert measured.stdout == untouched.stdout
    lines = [json.loads(line) for line in times.read_text().splitlines()]
    assert [(line["kernel"], len(line["microseconds"])) for line in lines] == [
        ("_Z12move_structsP8Particleif", 31),
        ("_Z11move_fieldsPfif", 31),
    ]
    # Once to see that it runs, three warm-ups, 31 repeats, once for the program.
    assert len(seen.read_text().splitlines()) == 2 * (1 + 3 + 31 + 1)
