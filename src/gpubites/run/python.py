"""Runs a Python snippet with the interpreter at hand and records what it printed."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import date
from importlib.metadata import version
from pathlib import Path

from gpubites.run.recording import Recording, digests

# The recording must not depend on who records it: no user site, no neighbor files to import, no settings from the environment,
# one order of sets. -I would do most of that, and ignore the hash seed with the rest of the environment.
OPTIONS = ("-P", "-s", "-B", "-X", "utf8")
ENVIRONMENT = {"PYTHONHASHSEED": "0"}
TIMEOUT = 60  # seconds


class SnippetError(Exception):
    """A snippet that did not end well. The message is what a person needs: the file, and its traceback."""


def record_python(source: Path, today: date) -> Recording:
    """The recording of `source`: its standard output, verbatim. Raises `SnippetError` where it fails or does not end."""
    header: dict[str, object] = {
        "command": f"python {source.name}",
        "kind": "python",
        "sources": digests([source]),
        "versions": versions_for(code_of(source)),
        "compared": "body",  # `make test` runs the file again and compares what it prints, under whichever Python runs the tests
        "date": today.isoformat(),
    }
    return Recording(header, output_of(source))


def output_of(source: Path) -> str:
    """What the file prints, run alone in an empty folder."""
    command = [sys.executable, *OPTIONS, str(source.resolve())]
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run(command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise SnippetError(f"{source} has not ended after {TIMEOUT} s") from None
    if run.returncode:
        raise SnippetError(f"{source} failed with status {run.returncode}\n{run.stderr.decode('utf-8', 'replace')}")
    try:
        printed = run.stdout.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SnippetError(f"{source} printed bytes that are not UTF-8: {error}") from None
    before, carriage_return, _ = printed.partition("\r")
    if carriage_return:  # text files here have none (F001), and a page would not show what it does to a terminal
        raise SnippetError(f"{source} printed a carriage return, in line {before.count(chr(10)) + 1} of its output")
    return printed


def code_of(source: Path) -> str:
    """The file's text. Raises `SnippetError`."""
    try:
        return source.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SnippetError(f"{source} is not UTF-8: {error}") from None


def environment() -> dict[str, str]:
    """What the interpreter itself needs, and the hash seed."""
    needed = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
    return {name: os.environ[name] for name in needed if name in os.environ} | ENVIRONMENT


def versions_for(code: str) -> dict[str, str]:
    """Python's, and numpy's where the file imports it."""
    versions = {"python": platform.python_version()}
    if re.search(r"^\s*(?:import|from)\s+numpy\b", code, re.MULTILINE):
        versions["numpy"] = version("numpy")
    return versions
