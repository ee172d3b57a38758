"""Every simulator still gives its recorded frames, setting by setting."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from gpubites.frame import frames_file, frames_path, read_frames
from gpubites.run.python import SnippetError
from gpubites.run.recording import parse_recording, recording_path
from gpubites.run.simulator import record_simulator
from gpubites.simulator import read_simulator

# A lone 1 before what looks like a plural. What does is left out here by name: symbols and verbs.
ONE_OF_MANY = re.compile(r"(?<![\d.,/-])1 (?!(?:ms|us|is|has|takes|needs|sends|waits|holds|fits)\b)[A-Za-z-]+[^\Ws]s\b")
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
        words = [frame.says, *(str(cell) for row in frame.table for cell in row), *re.findall(r">([^<]+)</text>", frame.svg)]
        assert [text for text in words if ONE_OF_MANY.search(text)] == [], "“1 block”, not “1 blocks”"


@pytest.mark.parametrize(("text", "wrong"), [("1 blocks", True), ("of 1 GPU-hours", True), *((text, False) for text in ("1 block", "11 blocks", "0.1 blocks", "1 ms", "1 pass", "stride 1 takes"))])
def test_one_of_many_is_found(text: str, wrong: bool) -> None:
    assert bool(ONE_OF_MANY.search(text)) == wrong


def test_a_cut_text_is_not_recorded(tmp_path: Path) -> None:
    source = tmp_path / SIMULATORS[0].name
    text = SIMULATORS[0].read_text(encoding="utf-8")
    cut = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 40'><text x='390' y='20'>100%</text></svg>"
    source.write_text(text + f'\n_whole = simulate\n\ndef simulate(*given, **named):\n    return _whole(*given, **named) | {{"svg": "{cut}"}}\n')
    with pytest.raises(SnippetError, match=r"simulate\(.*\): the text “100%” is cut off"):
        record_simulator(source, read_simulator(text), date.today())


def test_an_altered_simulator_no_longer_matches(tmp_path: Path) -> None:
    source = SIMULATORS[0]
    altered = tmp_path / source.name
    text = source.read_text(encoding="utf-8")
    altered.write_text(text + '\n_whole = simulate\n\ndef simulate(*given, **named):\n    return _whole(*given, **named) | {"says": "Altered."}\n')
    _, content = record_simulator(altered, read_simulator(text), date.today())
    assert read_frames(content) != read_frames(frames_path(source).read_bytes())
    assert frames_file(read_frames(content)) == content
