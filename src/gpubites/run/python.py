"""Runs a Python snippet with the interpreter at hand and records what it printed."""

from __future__ import annotations

import os
import platform
import re
import resource
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import IO

from gpubites.run.recording import Recording, digests
from gpubites.snippet_output import unfit
from gpubites.text_file import UNSEEN

# The recording must not depend on who records it: no user site, no neighbor files to import, no settings from the environment.
# -I would do most of that, and ignore the hash seed with the rest of the environment.
OPTIONS = ("-P", "-s", "-B", "-X", "utf8")
# A reader's Python orders sets by a seed of its own: what prints the same under two of them prints the same there.
HASH_SEEDS = ("0", "1")
TIMEOUT = 20  # seconds by the clock, on a busy machine
CPU_SECONDS = 2.0  # of a page's 10, where Python is slower
MOST_BYTES = 100_000  # of output, and of any file: thousands of lines more than a page shows
MOST_MEMORY = 4 << 30


class SnippetError(Exception):
    """Why a snippet cannot be recorded, and how to mend it. Whoever catches it names the file."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def record_python(source: Path, today: date) -> Recording:
    """The recording of `source`: its standard output, verbatim. Raises `SnippetError` where it fails, or a page could not show the same."""
    header: dict[str, object] = {
        "command": f"python {source.name}",
        "kind": "python",
        "sources": digests([source]),
        "versions": versions_for(code_of(source)),
        "compared": "body",  # `make test` runs the file again and compares what it prints, under whichever Python runs the tests
        "date": today.isoformat(),
    }
    first, second = (run_alone(source, seed) for seed in HASH_SEEDS)
    if first.printed != second.printed:
        raise SnippetError(_first_difference(first.printed, second.printed), SAME_EACH_TIME)
    if first.cpu > CPU_SECONDS:
        raise SnippetError(
            f"took {first.cpu:.1f} s of CPU time, at most {CPU_SECONDS:.0f} are waited for", "a smaller problem teaches the same"
        )
    if reason := unfit(first.printed):
        raise SnippetError(reason, "print the rows that teach")
    return Recording(header, first.printed)


SAME_EACH_TIME = "seed the random numbers, sort what comes out of a set, and print no time, address or id"


@dataclass(frozen=True)
class Ran:
    """What a file printed, and how many seconds of CPU time it took."""

    printed: str
    cpu: float


def output_of(source: Path) -> str:
    """What the file prints, run alone in an empty folder."""
    return run_alone(source, HASH_SEEDS[0]).printed


def run_alone(source: Path, hash_seed: str) -> Ran:
    """Runs the file in an empty folder, with all that it started ended when it ends. Raises `SnippetError`."""
    command = [sys.executable, *OPTIONS, str(source.resolve())]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complained:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(hash_seed),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=complained,
            start_new_session=True,
            preexec_fn=_limit,
        )
        try:
            status = process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise SnippetError(f"has not ended after {TIMEOUT} s", "does each loop in it end? A page stops it after 10 s") from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out, err = (_content(file) for file in (printed, complained))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if len(out) >= MOST_BYTES:
        raise SnippetError(f"printed {MOST_BYTES:,} bytes and more", "does each loop in it end?")
    if status:
        # The place in the file, not where the file lies on this machine.
        trace = err.decode("utf-8", "replace").replace(str(source.resolve()), source.name).rstrip()
        ended = f"ended by {signal.Signals(-status).name}" if status < 0 else f"failed with status {status}"
        raise SnippetError(f"{ended}\n{trace}".rstrip())
    return Ran(_as_text(out), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _limit() -> None:
    """In the new process, before it runs: no output or file without end, and not all of the machine's memory."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    if sys.platform == "linux":  # macOS counts what is mapped and never used
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _as_text(printed: bytes) -> str:
    try:
        text = printed.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SnippetError(f"printed bytes that are not UTF-8: {error}", "print text") from None
    if odd := UNSEEN.search(text):  # text files here have none (F001), and a page would not show what they do to a terminal
        line = text.count("\n", 0, odd.start()) + 1
        raise SnippetError(
            f"printed the invisible character U+{ord(odd[0]):04X}, in line {line} of its output", "print(repr(text)) shows it"
        )
    return text


def _first_difference(one: str, two: str) -> str:
    lines = zip(f"{one}\n".split("\n"), f"{two}\n".split("\n"), strict=False)
    number, (first, second) = next((number, pair) for number, pair in enumerate(lines, start=1) if pair[0] != pair[1])
    return f"prints something else each time: line {number} was `{first}`, then `{second}`"


def code_of(source: Path) -> str:
    """The file's text. Raises `SnippetError`."""
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SnippetError(f"is not UTF-8: {error}", "save it as UTF-8") from None


def environment(hash_seed: str) -> dict[str, str]:
    """What the interpreter itself needs, and the hash seed."""
    needed = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
    return {name: os.environ[name] for name in needed if name in os.environ} | {"PYTHONHASHSEED": hash_seed}


def versions_for(code: str) -> dict[str, str]:
    """Python's, and numpy's where the file imports it."""
    versions = {"python": platform.python_version()}
    if re.search(r"^\s*(?:import|from)\s+numpy\b", code, re.MULTILINE):
        versions["numpy"] = version("numpy")
    return versions
