"""Every simulator still gives its recorded frames, setting by setting."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gpubites.frame import frames_file, frames_path, read_frames
from gpubites.run.recording import parse_recording, recording_path
from gpubites.run.simulator import record_simulator
from gpubites.simulator import read_simulator

SIMULATORS = sorted((Path(__file__).resolve().parents[2] / "snippets").glob("*/*_lab.py"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("source", SIMULATORS, ids=name)
def test_the_simulator_gives_its_recorded_frames(source: Path) -> None:
    recorded = parse_recording(recording_path(source).read_text(encoding="utf-8"))
    fresh, content = record_simulator(source, read_simulator(source.read_text(encoding="utf-8")), date.today())
    assert fresh.body == recorded.body
    assert read_frames(content) == read_frames(frames_path(source).read_bytes())  # the bytes depend on zlib's version


@pytest.mark.parametrize("source", SIMULATORS, ids=name)
def test_the_words_fit_a_phone(source: Path) -> None:
    for frame in read_frames(frames_path(source).read_bytes()):
        assert len(frame.says) <= 260, frame.says
        assert all(len(str(cell)) <= 60 for row in frame.table for cell in row)


def test_an_altered_simulator_no_longer_matches(tmp_path: Path) -> None:
    source = SIMULATORS[0]
    altered = tmp_path / source.name
    text = source.read_text(encoding="utf-8")
    altered.write_text(text + '\n_whole = simulate\n\ndef simulate(*given, **named):\n    return _whole(*given, **named) | {"says": "Altered."}\n')
    _, content = record_simulator(altered, read_simulator(text), date.today())
    assert read_frames(content) != read_frames(frames_path(source).read_bytes())
    assert frames_file(read_frames(content)) == content
