"""The compile facts of a CUDA source: what the pinned nvcc makes of it, kernel by kernel. A compiler is needed, a GPU is not."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass, fields
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypedDict

from gpubites.occupancy import residency
from gpubites.run.recording import Recording, digests, sha256_of
from gpubites.run.sass import Instruction, listing, sass_text

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
# One fixed line: `-Xptxas -v` changes the bytes of a cubin, so it is always there.
FLAGS = ("-std=c++17", "-O3", "-Xptxas", "-v", "-cubin")
# The machine code that is shown, with the source lines beside it: -lineinfo changes no instruction.
SASS_ARCH = "sm_90"
NO_GPU_RUNTIME = Path(__file__).resolve().parents[1] / "gpu" / "no_gpu_runtime.cpp"
LOCK = "requirements-cuda.txt"


@dataclass(frozen=True)
class KernelFacts:
    """One line of the table. Instruction counts are of the compiled code: how often it stands there, not how often it runs."""

    kernel: str
    arch: str
    threads: int
    dynamic: int
    blocks: int
    warps: int
    limiter: str
    registers: int
    shared: int
    spill: int
    barriers: int
    instructions: int
    ldg: int
    ldg128: int
    stg: int
    stg128: int
    lds: int
    lds128: int
    sts: int
    ffma: int
    mma: int
    shfl: int
    atomic: int
    bar: int


COLUMNS: Mapping[str, str] = {
    "threads, dynamic": "threads per block and bytes of dynamic shared memory at the kernel's first launch",
    "blocks, warps": "resident on an SM at once with that launch, and what allows no more (limiter)",
    "registers": "per thread",
    "shared": "bytes of shared memory that the source declares with a fixed size, per block",
    "spill": "bytes of registers spilled to local memory, stores and loads together",
    "barriers": "hardware barriers that a block reserves",
    "instructions": "all of them, padding (NOP) left out",
    "ldg, ldg128": "loads from global memory; those of 128 bits among them",
    "stg, stg128": "stores to global memory; those of 128 bits among them",
    "lds, lds128": "loads from shared memory; those of 128 bits among them",
    "sts": "stores to shared memory",
    "ffma": "fused multiply-adds in fp32",
    "mma": "matrix multiply-adds on tensor cores",
    "shfl": "warp shuffles",
    "atomic": "atomic operations, in shared or global memory",
    "bar": "barrier instructions",
}

# Column → the opcodes it counts. Newer architectures say REDG and ATOMG where older ones say RED and ATOM.
OPCODES: Mapping[str, frozenset[str]] = {
    "ldg": frozenset({"LDG"}),
    "stg": frozenset({"STG"}),
    "lds": frozenset({"LDS", "LDSM"}),
    "sts": frozenset({"STS", "STSM"}),
    "ffma": frozenset({"FFMA", "FFMA2"}),
    "mma": frozenset({"HMMA", "IMMA", "DMMA", "HGMMA", "UTCHMMA"}),
    "shfl": frozenset({"SHFL"}),
    "atomic": frozenset({"ATOM", "ATOMG", "ATOMS", "RED", "REDG"}),
    "bar": frozenset({"BAR"}),
}


@dataclass(frozen=True)
class Toolkit:
    """The pinned compiler: the folder of its programs, its version, the sha256 of its lock, and where results are kept."""

    bin: Path
    version: str
    lock: str
    cache: Path


@dataclass(frozen=True)
class Skipped:
    """Why nothing was compiled on this machine."""

    reason: str


class CompileError(Exception):
    """The source does not compile, or its cubin could not be reproduced elsewhere."""


def record_cuda(source: Path, today: date, toolkit: Toolkit) -> Recording:
    """The facts of every kernel in `source`, for every architecture. Raises `CompileError`."""
    compiled = compiled_facts(source, toolkit)
    header: dict[str, object] = {
        "command": f"nvcc {' '.join(FLAGS)} -arch=<{'|'.join(ARCHITECTURES)}> {source.name}",
        "kind": "cuda",
        "sources": digests([source]),
        "cubins": compiled.cubins,
        "versions": {"nvcc": toolkit.version},
        "machine": "Linux x86_64, no GPU used",
        "date": today.isoformat(),
    }
    return Recording(header, compiled.body)


def record_sass(source: Path, today: date, toolkit: Toolkit) -> Recording:
    """The machine code of every kernel, each instruction with its source line. Raises `CompileError`."""
    header: dict[str, object] = {
        "command": f"nvcc {' '.join(FLAGS)} -lineinfo -arch={SASS_ARCH} {source.name}; nvdisasm -gi -c",
        "kind": "sass",
        "arch": SASS_ARCH,
        "sources": digests([source]),
        "versions": {"nvcc": toolkit.version},
        "date": today.isoformat(),
    }
    return Recording(header, compiled_facts(source, toolkit).sass)


def compile_facts(recording: Recording) -> list[KernelFacts]:
    """The table of a recording's body, as values. Raises `ValueError` where the body is no such table."""
    rows = [line.split() for line in recording.body.splitlines() if line and not line.startswith("#")]
    names = [field.name for field in fields(KernelFacts)]
    if not rows or rows[0] != names:
        raise ValueError(f"compile facts open with the columns {' '.join(names)}")
    return [_facts_of(dict(zip(names, row, strict=True))) for row in rows[1:]]


def _facts_of(row: Mapping[str, str]) -> KernelFacts:
    words = ("kernel", "arch", "limiter")
    values: dict[str, Any] = {name: cell if name in words else int(cell) for name, cell in row.items()}
    return KernelFacts(**values)


def pinned_toolkit(root: Path) -> Toolkit | Skipped:
    """The toolkit of `requirements-cuda.txt` in `.venv-cuda`, installed when it is missing or older than the lock."""
    system, machine = sys.platform, platform.machine()
    if system != "linux" or machine != "x86_64":
        return Skipped(f"CUDA compile facts need Linux on x86_64, this is {system} on {machine}")

    lock, home = root / LOCK, root / ".venv-cuda"
    with _alone(root / ".cache" / "cuda.lock"):
        _install(lock, home)
    nvcc = next(home.glob("lib/python*/site-packages/nvidia/cu13/bin/nvcc"))
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"V([\d.]+)", said)
    return Toolkit(nvcc.parent, version[1] if version else "unknown", sha256_of(lock), root / ".cache" / "cuda")


def cache_key(source: Path, lock: str, flags: tuple[str, ...] = FLAGS, code: str = "") -> str:
    """Changes with all a result hangs on: the source and its name (an `assert` holds it), flags, toolkit, the code here."""
    parts = (source.name, sha256_of(source), *flags, *ARCHITECTURES, lock, code or _code())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _code() -> str:
    """The sha256 of all that makes a result out of a compilation."""
    package = Path(__file__).resolve().parents[1]
    files = (Path(__file__), package / "run" / "sass.py", package / "occupancy.py", NO_GPU_RUNTIME)
    return hashlib.sha256("".join(map(sha256_of, files)).encode()).hexdigest()


@dataclass(frozen=True)
class Compiled:
    """The table of facts, architecture → sha256 of its cubin, and the machine code of one architecture."""

    body: str
    cubins: dict[str, str]
    sass: str


def compiled_facts(source: Path, toolkit: Toolkit) -> Compiled:
    """From the cache, else from the compiler. Raises `CompileError`."""
    kept = toolkit.cache / f"{cache_key(source, toolkit.lock)}.json"
    if kept.is_file():
        return Compiled(**json.loads(kept.read_text()))

    facts: list[KernelFacts] = []
    cubins: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        launches = _first_launches(source, Path(folder), toolkit)
        for arch in ARCHITECTURES:
            cubin = Path(folder) / f"{arch}.cubin"
            log = _nvcc(source, arch, cubin, toolkit)
            cubins[arch] = sha256_of(cubin)
            facts += kernel_facts(arch, log, run_tool([toolkit.bin / "cuobjdump", "-sass", cubin]), launches)
        if not facts:
            raise CompileError("there is no kernel in it")
        sass = sass_text(_named(_instructions(source, Path(folder), toolkit)))

    compiled = Compiled(_table(sorted(facts, key=lambda f: (f.kernel, ARCHITECTURES.index(f.arch)))), cubins, sass)
    toolkit.cache.mkdir(parents=True, exist_ok=True)
    whole = kept.with_suffix(f".{os.getpid()}")  # renamed when whole: another test may look at the same moment
    whole.write_text(json.dumps(asdict(compiled)))
    whole.replace(kept)
    return compiled


def _nvcc(source: Path, arch: str, cubin: Path, toolkit: Toolkit, *more: str) -> str:
    """What ptxas said. nvcc runs in the source's folder, so that no path gets into the cubin."""
    said = run_tool([toolkit.bin / "nvcc", *FLAGS, *more, f"-arch={arch}", "-o", cubin, source.name], cwd=source.resolve().parent)
    # Names of internal linkage carry a hash of the folder's path: another checkout would get other bytes.
    if not more and re.search(rb"_INTERNAL_|_GLOBAL__N_", cubin.read_bytes()):
        raise CompileError(
            "an anonymous namespace, or a static device function that is not inlined, makes the cubin depend on its "
            "folder; give it external linkage"
        )
    return said


def _instructions(source: Path, folder: Path, toolkit: Toolkit) -> list[Instruction]:
    cubin = folder / "lines.cubin"
    _nvcc(source, SASS_ARCH, cubin, toolkit, "-lineinfo")
    return listing(run_tool([toolkit.bin / "nvdisasm", "-gi", "-c", cubin]), source.name)


def _named(instructions: list[Instruction]) -> list[Instruction]:
    """With the names that readers know, in their order; a function that was not inlined keeps its place among them."""
    named = [Instruction(short_name(name), i.line, i.text) for name, group in _by_kernel(instructions) for i in group]
    return sorted(named, key=lambda instruction: instruction.kernel)


def _by_kernel(instructions: list[Instruction]) -> Iterator[tuple[str, Iterator[Instruction]]]:
    return groupby(instructions, key=lambda instruction: instruction.kernel)


@dataclass(frozen=True)
class Launch:
    """Threads per block, and bytes of dynamic shared memory."""

    threads: int
    dynamic: int


def _first_launches(source: Path, folder: Path, toolkit: Toolkit) -> dict[str, Launch]:
    """Mangled kernel name → its first launch. The program runs on a runtime that runs no kernel, so its own verdict is not asked."""
    program, seen = folder / "launches", folder / "launches.txt"
    objects = [folder / "program.o", folder / "runtime.o"]
    where = source.resolve().parent
    run_tool([toolkit.bin / "nvcc", "-std=c++17", "-O1", f"-arch={SASS_ARCH}", "-c", "-o", objects[0], source.name], cwd=where)
    run_tool(["g++", "-std=c++17", "-O1", "-c", "-o", objects[1], NO_GPU_RUNTIME])
    run_tool(["g++", "-o", program, *objects])
    subprocess.run([program], env={"LAUNCHES": str(seen)}, capture_output=True, timeout=120)
    launches: dict[str, Launch] = {}
    for line in seen.read_text().splitlines() if seen.is_file() else []:
        kernel, *numbers = line.split()
        _, _, _, x, y, z, dynamic = map(int, numbers)
        launches.setdefault(kernel, Launch(x * y * z, dynamic))
    return launches


def kernel_facts(arch: str, ptxas_log: str, sass: str, launches: Mapping[str, Launch]) -> list[KernelFacts]:
    """One value per kernel, from what ptxas prints with `-v`, what `cuobjdump -sass` prints, and how it is launched."""
    opcodes = _opcodes(sass)
    return [
        KernelFacts(
            kernel=short_name(mangled),
            arch=arch,
            **_occupancy(arch, used, launches.get(mangled)),
            registers=used.registers,
            shared=used.shared,
            spill=used.spill,
            barriers=used.barriers,
            instructions=sum(opcodes[mangled].values()),
            ldg128=_count(opcodes[mangled], "ldg", "128"),
            stg128=_count(opcodes[mangled], "stg", "128"),
            lds128=_count(opcodes[mangled], "lds", "128"),
            **{column: _count(opcodes[mangled], column) for column in OPCODES},
        )
        for mangled, used in _resources(ptxas_log).items()
    ]


class _Occupancy(TypedDict):
    threads: int
    dynamic: int
    blocks: int
    warps: int
    limiter: str


def _occupancy(arch: str, used: _Used, launch: Launch | None) -> _Occupancy:
    if launch is None:
        return {"threads": 0, "dynamic": 0, "blocks": 0, "warps": 0, "limiter": "-"}
    fits = residency(arch, launch.threads, used.registers, used.shared + launch.dynamic)
    return {
        "threads": launch.threads,
        "dynamic": launch.dynamic,
        "blocks": fits.blocks,
        "warps": fits.warps,
        "limiter": "+".join(fits.limiters),
    }


@dataclass(frozen=True)
class _Used:
    registers: int
    barriers: int
    shared: int
    spill: int


def _resources(log: str) -> dict[str, _Used]:
    """Mangled kernel name → what it needs. Device functions that were not inlined have properties too, but reserve nothing."""
    spills: dict[str, int] = {}
    used: dict[str, _Used] = {}
    entry = owner = ""
    for line in log.splitlines():
        if found := re.search(r"Compiling entry function '(\S+)'", line):
            entry = found[1]
        elif found := re.search(r"Function properties for (\S+)", line):
            owner = found[1]
        elif found := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spills[owner] = int(found[1]) + int(found[2])
        elif found := re.search(r"Used (\d+) registers, used (\d+) barriers(?:.*?(\d+) bytes smem)?", line):
            used[entry] = _Used(int(found[1]), int(found[2]), int(found[3] or 0), spills.get(entry, 0))
    return used


def _opcodes(sass: str) -> dict[str, Counter[str]]:
    """Mangled function name → opcode with its modifiers (`LDG.E.128`) → how often. `@!PT` guards what never runs."""
    counts: dict[str, Counter[str]] = {}
    name = ""
    for line in sass.splitlines():
        if found := re.search(r"Function : (\S+)", line):
            name = found[1]
            counts[name] = Counter()
        elif found := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(?!@!PT)(?:@!?U?P(?:\d+|T)\s+)?(?!NOP)([A-Z][A-Z0-9_.]*)", line):
            counts[name][found[1]] += 1
    return counts


def _count(opcodes: Counter[str], column: str, width: str = "") -> int:
    return sum(n for opcode, n in opcodes.items() if _matches(opcode.split("."), OPCODES[column], width))


def _matches(opcode: list[str], family: frozenset[str], width: str) -> bool:
    return opcode[0] in family and (not width or width in opcode[1:])


def short_name(mangled: str) -> str:
    """`_Z5scaleILi32EEvPfi` → `scale<32>`: no return type, no parameters, no blanks."""
    name = run_tool(["c++filt", "--no-params", mangled]).strip()
    return name.removeprefix("void ").replace(" ", "")


def _table(facts: list[KernelFacts]) -> str:
    names = [field.name for field in fields(KernelFacts)]
    rows = [names, *([str(cell) for cell in astuple(fact)] for fact in facts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    legend = [f"# {column}: {meaning}" for column, meaning in COLUMNS.items()]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([*legend, *lines, ""])


def _install(lock: Path, home: Path) -> None:
    """Writes the lock's hash last: an installation that was cut short is done again."""
    done, wanted = home / "installed.sha256", sha256_of(lock)
    if done.is_file() and done.read_text() == wanted:
        return
    for tool in ("g++", "c++filt"):
        if shutil.which(tool) is None:
            raise FileNotFoundError(f"nvcc needs {tool}: install g++ (Debian: apt-get install g++)")
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    subprocess.run([home / "bin" / "python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r", lock], check=True)
    done.write_text(wanted)


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """One process at a time: tests that run side by side install once."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def run_tool(command: list[str | Path], cwd: Path | None = None) -> str:
    """What the program printed, standard error first. It gets the system's PATH only: no other toolkit may mix in."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    if done.returncode != 0:
        raise CompileError((done.stderr or done.stdout).strip())
    return done.stderr + done.stdout
