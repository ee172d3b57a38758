"""Every Python snippet runs, and prints to the byte what its recording says."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpubites.run.python import output_of
from gpubites.run.recording import parse_recording, recording_path
from gpubites.simulator import is_simulator

FILES = sorted((Path(__file__).resolve().parents[2] / "snippets").glob("*/*.py"))
SNIPPETS = [path for path in FILES if not is_simulator(path.name)]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("source", SNIPPETS, ids=name)
def test_the_snippet_prints_what_it_recorded(source: Path) -> None:
    recorded = parse_recording(recording_path(source).read_text(encoding="utf-8"))
    assert output_of(source) == recorded.body
    assert recorded.is_fresh(source.parent)


def test_an_altered_snippet_no_longer_matches(tmp_path: Path) -> None:
    source = SNIPPETS[0]
    altered = tmp_path / source.name
    altered.write_text(source.read_text(encoding="utf-8") + "\nprint('one line more')\n", encoding="utf-8")
    recorded = parse_recording(recording_path(source).read_text(encoding="utf-8"))
    assert output_of(altered) != recorded.body
    assert not recorded.is_fresh(tmp_path)
