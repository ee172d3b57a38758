"""A Python snippet is run as a reader would run it, and its output becomes the recording's body."""

import platform
from datetime import date
from pathlib import Path

import pytest

from gpubites.run import python
from gpubites.run.python import SnippetError, record_python
from gpubites.run.recording import parse_recording

TODAY = date(2026, 11, 30)


def snippet(folder: Path, code: str) -> Path:
    path = folder / "count.py"
    path.write_text(code, encoding="utf-8")
    return path


def test_the_body_is_what_the_file_prints_byte_for_byte(tmp_path: Path) -> None:
    recording = record_python(snippet(tmp_path, "print('32 × 4', end='')\nprint('\\tB\\n')\n"), TODAY)
    assert recording.body == "32 × 4\tB\n\n"


def test_the_header_says_what_ran_where_and_when(tmp_path: Path) -> None:
    source = snippet(tmp_path, "print(1)\n")
    recording = record_python(source, TODAY)
    assert recording.header["versions"] == {"python": platform.python_version()}
    assert recording.header["compared"] == "body"
    assert recording.header["date"] == "2026-11-30"
    assert recording.is_fresh(tmp_path)
    assert parse_recording(recording.text()) == recording
    source.write_text("print(2)\n", encoding="utf-8")
    assert not recording.is_fresh(tmp_path)


def test_the_version_of_numpy_is_told_where_it_is_imported(tmp_path: Path) -> None:
    assert "numpy" in record_python(snippet(tmp_path, "import numpy as np\nprint(np.int64(3) + 1)\n"), TODAY).header["versions"]  # type: ignore[operator]


def test_a_failing_file_is_told_with_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(SnippetError, match=r"count.py failed with status 1\n(.|\n)*line 2(.|\n)*ZeroDivisionError"):
        record_python(snippet(tmp_path, "print('so far')\n1 / 0\n"), TODAY)


def test_a_file_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "TIMEOUT", 1)
    with pytest.raises(SnippetError, match=r"has not ended after 1 s"):
        record_python(snippet(tmp_path, "while True: pass\n"), TODAY)


def test_neither_neighbors_nor_the_environment_reach_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "neighbor.py").write_text("", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("WHO", "me")
    code = "import importlib.util, os\nprint(importlib.util.find_spec('neighbor'), os.environ.get('WHO'), os.listdir())\n"
    assert record_python(snippet(tmp_path, code), TODAY).body == "None None []\n"
    assert not (tmp_path / "__pycache__").exists()


def test_the_order_of_a_set_is_the_same_each_time(tmp_path: Path) -> None:
    source = snippet(tmp_path, "print({'warp', 'block', 'grid', 'thread', 'lane'})\n")
    assert len({record_python(source, TODAY).body for _ in range(3)}) == 1
