"""Runs a simulator for every setting that is recorded, and checks each frame as the page will."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from gpubites.drawn_shapes import clipped
from gpubites.drawn_text import misplaced
from gpubites.frame import Frame, frames_file, read_frame
from gpubites.run.python import HASH_SEEDS, OPTIONS, SAME_EACH_TIME, SnippetError, code_of, environment, versions_for
from gpubites.run.recording import Recording, digests
from gpubites.simulator import Simulator, Value

# One process answers all settings. What the file prints is not an answer.
DRIVER = """
import json, sys
name, settings = json.load(sys.stdin)
answers, sys.stdout = sys.stdout, sys.stderr
main = {"__name__": "simulator"}
with open(name, encoding="utf-8") as file:
    exec(compile(file.read(), name, "exec", dont_inherit=True), main)
json.dump([main["simulate"](**setting) for setting in settings], answers)
"""
TIMEOUT = 150  # seconds by the clock for all settings, on a busy machine
LARGEST_FILE = 100_000  # bytes: what a phone fetches at the first touch


def record_simulator(source: Path, simulator: Simulator, today: date) -> tuple[Recording, bytes]:
    """The recording of a simulator and the file of its frames. Raises `SnippetError`."""
    if simulator.wrong:
        first = simulator.wrong[0]
        raise SnippetError(f"line {first.line}: {first.message}", first.hint)
    settings = simulator.settings
    frames, again = (frames_of(source, settings, seed) for seed in HASH_SEEDS)
    if frames != again:
        raise SnippetError("gives another frame each time", SAME_EACH_TIME)
    _check_prediction(simulator, frames)
    for setting, frame in zip(settings, frames, strict=True):
        if wrong := misplaced(frame.svg) or clipped(frame.svg):
            raise SnippetError(f"simulate({_said(setting)}): {wrong}", "move it, or make it shorter: nobody can scroll a picture")
    content = frames_file(frames)
    if len(content) > LARGEST_FILE:
        size = f"{len(frames)} frames take {len(content):,} bytes, of at most {LARGEST_FILE:,}"
        raise SnippetError(size, "fewer values, or smaller pictures")
    names = [control.name for control in simulator.recorded]
    header: dict[str, object] = {
        "command": f"simulate of {source.name} for {len(frames)} settings of {', '.join(names)}",
        "kind": "simulator",
        "sources": digests([source]),
        "frames-sha256": hashlib.sha256(content).hexdigest(),
        "versions": versions_for(code_of(source)),
        "compared": "frames",
        "date": today.isoformat(),
    }
    lines = [_line({name: setting[name] for name in names}, frame) for setting, frame in zip(settings, frames, strict=True)]
    return Recording(header, "".join(lines)), content


def frames_of(source: Path, settings: list[dict[str, Value]], hash_seed: str = HASH_SEEDS[0]) -> list[Frame]:
    """What the file answers to each setting, in an empty folder and a process of its own. Raises `SnippetError`."""
    command = [sys.executable, *OPTIONS, "-c", DRIVER]
    asked = json.dumps([str(source.resolve()), settings]).encode()
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run(command, cwd=folder, env=environment(hash_seed), input=asked, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            hint = "a page asks one setting at a time, and wants an answer at once"
            raise SnippetError(f"has not answered {len(settings)} settings after {TIMEOUT} s", hint) from None
    if run.returncode:
        trace = run.stderr.decode("utf-8", "replace").replace(str(source.resolve()), source.name).rstrip()
        raise SnippetError(f"failed with status {run.returncode}\n{trace}")
    frames = []
    for setting, answer in zip(settings, json.loads(run.stdout), strict=True):
        try:
            frames.append(read_frame(answer))
        except ValueError as error:
            raise SnippetError(f"simulate({_said(setting)}): {error}") from None
    return frames


def _check_prediction(simulator: Simulator, frames: list[Frame]) -> None:
    """What the reader is asked has an answer of the kind that is asked for."""
    asked = simulator.prediction
    assert asked, "a simulator without a prediction is wrong"
    result = frames[simulator.place(simulator.defaults | asked.at)].result
    if asked.choices and result not in asked.choices:
        raise SnippetError(f"the result at {_said(asked.at)} is {result!r}, which is none of the choices")
    if not asked.choices and isinstance(result, str):
        raise SnippetError(f"the result at {_said(asked.at)} is {result!r}, which is no number", 'give PREDICT "choices"')


def _line(setting: dict[str, Value], frame: Frame) -> str:
    return f"{_said(setting)}: {frame.result} | {frame.says}\n"


def _said(setting: dict[str, Value]) -> str:
    return ", ".join(f"{name}={value}" for name, value in setting.items())
