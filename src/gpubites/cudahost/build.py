"""From a .cu file to a program for the CPU: the compiler, its flags, and the cache that spares a second compilation."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gpubites.cudahost.rewrite import rewrite

HERE = Path(__file__).resolve().parent
INCLUDE, HOST = HERE / "include", HERE / "host"

COMMON = ("-std=c++17", "-fno-pie", "-ffp-contract=off")
# Line tables are for messages. Vectors stay whole, so that a 128-bit access is one; `volatile` is told apart.
PROGRAM = {
    "g++": (
        *("-O1", "-g1", "-fsanitize=thread", "-fno-tree-sra", "-fno-ipa-sra", "-fno-inline-functions-called-once"),
        *("--param", "tsan-distinguish-volatile=1", "--param", "tsan-instrument-func-entry-exit=0"),
    ),
    "clang++": (
        *("-O1", "-gline-tables-only", "-fsanitize=thread", "-mllvm", "-tsan-distinguish-volatile=1"),
        *("-mllvm", "-tsan-instrument-func-entry-exit=0", "-Wno-everything", "-Wunused-result"),
    ),
}
# The host comes before and between: calls of these in the program are accesses, and its `main` is called by the host's.
# The last six are `new` and `delete`, which in a kernel are of the device's heap.
RENAMED = ("memcpy", "memmove", "memset", "malloc", "free", "main", "_Znwm", "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm")


class Unusable(Exception):
    """This machine cannot run the host: the message says what is missing."""


class DoesNotCompile(Exception):
    """What the compiler said, with the lines of the reader's file."""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler on this machine."""

    path: str
    family: str  # g++ or clang++
    version: str

    @property
    def flags(self) -> tuple[str, ...]:
        return (*COMMON, *PROGRAM[self.family])


@dataclass(frozen=True)
class Program:
    """A compiled program, and the lines on which the result of a CUDA call is thrown away."""

    path: Path
    unchecked_lines: frozenset[int]


def find_compiler(name: str = "g++") -> Compiler:
    """Raises `Unusable` with one line that says what this machine lacks."""
    system, machine = platform.system(), platform.machine()
    if system != "Linux" or machine not in ("x86_64", "AMD64"):
        raise Unusable(f"the host run needs Linux on x86-64; this is {system} on {machine}")
    path = shutil.which(name)
    if path is None:
        raise Unusable(f"the host run needs {name}, which is not installed (Debian, Ubuntu: apt-get install g++)")
    for tool in ("addr2line", "objcopy", "ar"):
        if shutil.which(tool) is None:
            raise Unusable(f"the host run needs {tool}, which comes with binutils (Debian, Ubuntu: apt-get install binutils)")
    family = "clang++" if "clang" in Path(path).name else "g++"
    return Compiler(path, family, _version(path))


@cache
def _version(path: str) -> str:
    return subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


@cache
def host_code() -> str:
    """One hash over all that a result hangs on besides the program: the host's C++ and the Python around it."""
    files = sorted(path for pattern in ("**/*.h", "**/*.cpp", "*.py") for path in HERE.glob(pattern))
    parts = [f"{path.relative_to(HERE)}\0".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def program_key(source: Path, compiler: Compiler, code: str | None = None) -> str:
    """Changes with everything a program hangs on: its text and that of the files it includes, compiler, flags, host."""
    parts = [source.name, *(_digest(path) for path in with_includes(source)), compiler.version, *compiler.flags, code or host_code()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def build(source: Path, compiler: Compiler, cache_folder: Path) -> Program:
    """The program of `source`, from the cache where it is there. Raises `DoesNotCompile` and `rewrite.NotCovered`."""
    kept = cache_folder / f"{program_key(source, compiler)}.program"
    lines = kept.with_suffix(".unchecked")
    if not (kept.is_file() and lines.is_file()):
        cache_folder.mkdir(parents=True, exist_ok=True)
        files = {path: path.read_text(encoding="utf-8") for path in reversed(with_includes(source))}
        texts = {path: rewrite(text, [other for other in files.values() if other is not text]) for path, text in files.items()}
        with _alone(cache_folder):
            archive = _host_archive(compiler, cache_folder)
            prefix = _prefix_header(compiler, cache_folder)
        with tempfile.TemporaryDirectory(dir=cache_folder) as folder:
            # Under the reader's name: the debug information of some functions names the file, not its #line.
            obj, program = Path(folder) / "program.o", Path(folder) / "program"
            copies = {path.resolve(): Path(folder) / str(number) / path.name for number, path in enumerate(texts)}
            for path, text in texts.items():
                copies[path.resolve()].parent.mkdir()
                copies[path.resolve()].write_text(f'#line 1 "{path.name}"\n{_with_copies(text, path, copies)}', encoding="utf-8")
            cpp = copies[source.resolve()]
            where = ["-include", prefix, "-I", INCLUDE, "-iquote", source.parent.resolve()]
            command = [compiler.path, *compiler.flags, *where, "-x", "c++", "-c", cpp, "-o", obj]
            said = _run(command)
            renames = [f"--redefine-sym={name}=cudahost_{name}" for name in RENAMED]
            subprocess.run(["objcopy", *renames, obj], check=True)
            _link([compiler.path, "-no-pie", obj, archive, "-o", program, "-lm"])
            unchecked = sorted(set(map(int, re.findall(rf"(?m)^{re.escape(source.name)}:(\d+):.*\[-Wunused-result\]$", said))))
            _keep(lines, " ".join(map(str, unchecked)).encode())
            _move(program, kept)
    return Program(kept, frozenset(map(int, lines.read_text().split())))


def with_includes(source: Path) -> list[Path]:
    """The file and, one after the other, those it includes in quotation marks from beside it."""
    found, todo = [source], [source]
    while todo:
        path = todo.pop()
        for name in re.findall(r'(?m)^\s*#\s*include\s*"([^"]+)"', path.read_text(encoding="utf-8", errors="replace")):
            included = path.parent / name
            if included.is_file() and included.resolve() not in [known.resolve() for known in found]:
                found.append(included)
                todo.append(included)
    return found


def readers_files(source: Path) -> frozenset[str]:
    """The names of the files that the reader wrote: the program and what it includes from beside it."""
    return frozenset(path.name for path in with_includes(source))


def _with_copies(text: str, path: Path, copies: dict[Path, Path]) -> str:
    """The text, including the rewritten copies of what it includes."""

    def redirect(found: re.Match[str]) -> str:
        copy = copies.get((path.parent / found[2]).resolve())
        return f'{found[1]}"{copy}"' if copy else found[0]

    return re.sub(r'(?m)^(\s*#\s*include\s*)"([^"]+)"', redirect, text)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """What all programs share is made once. Two processes would do it twice, and a header is not to be newer than its precompiled form."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _host_archive(compiler: Compiler, folder: Path) -> Path:
    """The compiled host, once per compiler and state of its code."""
    key = hashlib.sha256("\0".join((compiler.version, *COMMON, _host_sources_digest())).encode()).hexdigest()
    kept = folder / f"{key}.a"
    if kept.is_file():
        return kept
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        sources = sorted(HOST.glob("*.cpp"))
        processes = []
        for path in sources:
            obj = Path(scratch) / f"{path.stem}.o"
            command = [compiler.path, *COMMON, "-O2", "-g1", "-w", "-I", INCLUDE, "-c", path, "-o", obj]
            processes.append((path, subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)))
        for path, process in processes:
            _, errors = process.communicate()
            if process.returncode:
                raise DoesNotCompile(f"the host itself does not compile with {compiler.version}: {path.name}\n{errors}")
        archive = Path(scratch) / "host.o"
        # One object, so that everything is linked, the parts that register themselves included.
        subprocess.run([compiler.path, "-r", "-nostdlib", "-o", archive, *(Path(scratch) / f"{p.stem}.o" for p in sources)], check=True)
        _move(archive, kept)
    return kept


def _prefix_header(compiler: Compiler, folder: Path) -> Path:
    """The header that comes first in every program, precompiled."""
    parts = (compiler.version, *compiler.flags, *(_digest(path) for path in sorted(INCLUDE.glob("**/*.h"))))
    header = folder / f"prefix-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:20]}.h"
    compiled = header.with_name(f"{header.name}.{'gch' if compiler.family == 'g++' else 'pch'}")
    if not (header.is_file() and compiled.is_file()):
        _keep(header, f'#include "{INCLUDE / "cuda_runtime.h"}"\n#include <vector>\n#include <string>\n#include <cstdio>\n'.encode())
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / compiled.name
            _run([compiler.path, *compiler.flags, "-x", "c++-header", "-I", INCLUDE, header, "-o", made])
            _move(made, compiled)
    return header


def _host_sources_digest() -> str:
    files = sorted([*HOST.glob("*"), *INCLUDE.glob("**/*.h")])
    return hashlib.sha256("".join(_digest(path) for path in files).encode()).hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _run(command: list[object]) -> str:
    """What the compiler said. Raises `DoesNotCompile`."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        raise DoesNotCompile(done.stderr.strip() or f"{command[0]} failed")
    return done.stderr


def _link(command: list[object]) -> None:
    """Raises `DoesNotCompile`, which names what is missing."""
    try:
        _run(command)
    except DoesNotCompile as failure:
        missing = dict.fromkeys(re.findall(r"undefined reference to `([^']+)'", str(failure)))
        if "cudahost_main" in missing:
            raise DoesNotCompile("error: there is no `main`: the host runs a whole program") from failure
        raise DoesNotCompile("\n".join(f"error: `{name}` is declared and never defined" for name in missing) or str(failure)) from failure


def _keep(path: Path, data: bytes) -> None:
    """Written aside and renamed when whole: another process may look at the same moment."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    aside.write_bytes(data)
    aside.replace(path)


def _move(made: Path, kept: Path) -> None:
    made.replace(kept)


def default_cache() -> Path:
    """In the project's own cache where the project is a checkout, else in the user's."""
    project = HERE.parents[2]
    if (project / "Makefile").is_file():
        return project / ".cache" / "cudahost"
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "gpubites" / "cudahost"
