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
from dataclasses import astuple, dataclass, fields
from datetime import date
from pathlib import Path

from gpubites.run.recording import Recording, digests, sha256_of

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
# One fixed line: `-Xptxas -v` changes the bytes of a cubin, so it is always there.
FLAGS = ("-std=c++17", "-O3", "-Xptxas", "-v", "-cubin")
LOCK = "requirements-cuda.txt"


@dataclass(frozen=True)
class KernelFacts:
    """One line of the table. Instruction counts are of the compiled code: how often it stands there, not how often it runs."""

    kernel: str
    arch: str
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
    compiled = _compiled(source, toolkit)
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


def compile_facts(recording: Recording) -> list[KernelFacts]:
    """The table of a recording's body, as values. Raises `ValueError` where the body is no such table."""
    rows = [line.split() for line in recording.body.splitlines() if line and not line.startswith("#")]
    names = [field.name for field in fields(KernelFacts)]
    if not rows or rows[0] != names:
        raise ValueError(f"compile facts open with the columns {' '.join(names)}")
    return [KernelFacts(kernel, arch, *map(int, counts)) for kernel, arch, *counts in rows[1:]]


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


def cache_key(source: Path, lock: str, flags: tuple[str, ...] = FLAGS, code: str = sha256_of(Path(__file__))) -> str:
    """Changes with all a result hangs on: the source and its name (an `assert` holds it), flags, toolkit, the code here."""
    parts = (source.name, sha256_of(source), *flags, *ARCHITECTURES, lock, code)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class _Compiled:
    body: str
    cubins: dict[str, str]


def _compiled(source: Path, toolkit: Toolkit) -> _Compiled:
    kept = toolkit.cache / f"{cache_key(source, toolkit.lock)}.json"
    if kept.is_file():
        return _Compiled(**json.loads(kept.read_text()))

    facts: list[KernelFacts] = []
    cubins: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for arch in ARCHITECTURES:
            cubin = Path(folder) / f"{arch}.cubin"
            log = _nvcc(source, arch, cubin, toolkit)
            cubins[arch] = sha256_of(cubin)
            facts += kernel_facts(arch, log, _run([toolkit.bin / "cuobjdump", "-sass", cubin]))
    if not facts:
        raise CompileError("there is no kernel in it")

    compiled = _Compiled(_table(sorted(facts, key=lambda f: (f.kernel, ARCHITECTURES.index(f.arch)))), cubins)
    toolkit.cache.mkdir(parents=True, exist_ok=True)
    whole = kept.with_suffix(f".{os.getpid()}")  # renamed when whole: another test may look at the same moment
    whole.write_text(json.dumps({"body": compiled.body, "cubins": compiled.cubins}))
    whole.replace(kept)
    return compiled


def _nvcc(source: Path, arch: str, cubin: Path, toolkit: Toolkit) -> str:
    """What ptxas said. nvcc runs in the source's folder, so that no path gets into the cubin."""
    said = _run([toolkit.bin / "nvcc", *FLAGS, f"-arch={arch}", "-o", cubin, source.name], cwd=source.resolve().parent)
    # Names of internal linkage carry a hash of the folder's path: another checkout would get other bytes.
    if re.search(rb"_INTERNAL_|_GLOBAL__N_", cubin.read_bytes()):
        raise CompileError(
            "an anonymous namespace, or a static device function that is not inlined, makes the cubin depend on its "
            "folder; give it external linkage"
        )
    return said


def kernel_facts(arch: str, ptxas_log: str, sass: str) -> list[KernelFacts]:
    """One value per kernel, from what ptxas prints with `-v` and what `cuobjdump -sass` prints."""
    opcodes = _opcodes(sass)
    return [
        KernelFacts(
            kernel=_short_name(mangled),
            arch=arch,
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


def _short_name(mangled: str) -> str:
    """`_Z5scaleILi32EEvPfi` → `scale<32>`: no return type, no parameters, no blanks."""
    name = _run(["c++filt", "--no-params", mangled]).strip()
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


def _run(command: list[str | Path], cwd: Path | None = None) -> str:
    """What the program printed, standard error first. It gets the system's PATH only: no other toolkit may mix in."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    if done.returncode != 0:
        raise CompileError((done.stderr or done.stdout).strip())
    return done.stderr + done.stdout
