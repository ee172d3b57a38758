"""What is recorded of a CUDA example beside its compile facts: machine code, the run on the CPU host, and runs on GPUs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpubites.run.recording import Recording, digests, parse_recording
from gpubites.run.sass import Instruction, parse_sass

# `block_sum.wrong.cu` stands beside `block_sum.cu` and shows what the checks say to it.
WRONG = ".wrong"


@dataclass(frozen=True)
class HostProblem:
    """`line` and `other_line` are the file's own, None where no line, or only one, is involved."""

    kind: str
    space: str
    line: int | None
    other_line: int | None
    message: str

    @property
    def label(self) -> str:
        """As a fence expects it: `race: shared`, or the kind alone where no memory is involved."""
        return f"{self.kind}: {self.space}" if self.space else self.kind


@dataclass(frozen=True)
class Traced:
    """One source line's accesses to one memory space in one direction, summed over the program; of a template, over one instance.

    `sectors_per_request` is of global memory, `wavefronts_per_request` of shared. `sample` holds the byte offset of each lane in
    the costliest request, `-` for a lane that took no part.
    """

    line: int
    function: str
    space: str
    access: str
    access_bytes: int
    requests: int
    sectors_per_request: float | None
    wavefronts_per_request: float | None
    bytes_used: int
    bytes_moved: int
    active_lanes: float
    sample: str


@dataclass(frozen=True)
class HostRun:
    """`verdict` is pass, fail or refused; `output` is what the program printed; `code` is the sha256 of the host that ran it."""

    verdict: str
    problems: tuple[HostProblem, ...]
    notes: tuple[str, ...]
    trace: tuple[Traced, ...]
    output: str
    code: str


@dataclass(frozen=True)
class Timed:
    """Microseconds of one kernel; `bytes` and `flops` are what a launch has to move and do at least, 0 where it is not said."""

    kernel: str
    blocks: int
    threads: int
    repeats: int
    median: float
    p10: float
    p90: float
    bytes: int
    flops: int

    @property
    def gb_per_s(self) -> float:
        return self.bytes / self.median / 1e3

    @property
    def gflop_per_s(self) -> float:
        return self.flops / self.median / 1e3


@dataclass(frozen=True)
class GpuRun:
    """A run on one GPU, from a recording whose header says all that is known of it."""

    gpu: str
    driver: str
    date: str
    scale: int
    kernels: tuple[Timed, ...]
    output: str


@dataclass(frozen=True)
class CudaRecordings:
    """`error` says what cannot be read; `fresh`: all of them were made from the bytes that are shown."""

    sass: tuple[Instruction, ...]
    host: HostRun | None
    gpus: tuple[GpuRun, ...]
    error: str
    fresh: bool


def sass_recording_path(source: Path) -> Path:
    """`saxpy.cu` → `saxpy.recording.sass`, beside it."""
    return source.with_name(f"{source.stem}.recording.sass")


def host_recording_path(source: Path) -> Path:
    """`saxpy.cu` → `saxpy.recording.host.txt`, beside it."""
    return source.with_name(f"{source.stem}.recording.host.txt")


def gpu_recording_paths(source: Path) -> list[Path]:
    """`saxpy.cu` → every `saxpy.recording.on-<gpu>.txt` beside it."""
    return sorted(source.parent.glob(f"{source.stem}.recording.on-*.txt"))


def read_cuda_recordings(source: Path, read: Callable[[Path], str]) -> CudaRecordings:
    """Of the example at `source`. Never raises: what cannot be read is told in `error`."""
    sass: tuple[Instruction, ...] = ()
    host: HostRun | None = None
    gpus: list[GpuRun] = []
    errors: list[str] = []
    fresh = True
    expected = digests([source])
    for path in (sass_recording_path(source), host_recording_path(source), *gpu_recording_paths(source)):
        if not path.is_file():
            continue
        try:
            recording = parse_recording(read(path))
            fresh = fresh and recording.sources == expected
            match recording.header.get("kind"):
                case "sass":
                    sass = tuple(parse_sass(recording.body))
                case "host":
                    host = host_run(recording)
                case "gpu":
                    gpus.append(gpu_run(recording))
                case other:
                    raise ValueError(f"`{other}` is no kind of recording of a CUDA example")
        except (ValueError, TypeError, KeyError) as error:
            errors.append(f"{path.name}: {' '.join(str(error).split())}")
    return CudaRecordings(sass, host, tuple(gpus), "; ".join(errors), fresh)


def host_run(recording: Recording) -> HostRun:
    """Raises `TypeError`, `KeyError` or `ValueError` where the header is none of a host run."""
    header: dict[str, Any] = recording.header
    return HostRun(
        verdict=str(header["verdict"]),
        problems=tuple(HostProblem(**problem) for problem in header["problems"]),
        notes=tuple(map(str, header["notes"])),
        trace=tuple(Traced(**line) for line in header["trace"]),
        output=recording.body,
        code=str(header["host"]),
    )


def gpu_run(recording: Recording) -> GpuRun:
    """Raises `TypeError`, `KeyError` or `ValueError` where the header is none of a run on a GPU."""
    header: dict[str, Any] = recording.header
    return GpuRun(
        gpu=str(header["gpu"]["name"]),
        driver=str(header["gpu"]["driver"]),
        date=str(header["date"]),
        scale=int(header["scale"]),
        kernels=tuple(Timed(**timed) for timed in header["kernels"]),
        output=recording.body,
    )
