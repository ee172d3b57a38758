"""A Python snippet is run as a reader would run it, and its output becomes the recording's body."""

import platform
import time
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
    with pytest.raises(SnippetError, match=r"^failed with status 1\n(.|\n)*File \"count.py\", line 2(.|\n)*ZeroDivisionError") as raised:
        record_python(snippet(tmp_path, "print('so far')\n1 / 0\n"), TODAY)
    assert str(tmp_path) not in str(raised.value)


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


@pytest.mark.parametrize(
    ("code", "message", "hint"),
    [
        ("import time\nprint('a')\nprint(time.time_ns())", r"prints something else each time: line 2 was `\d+`, then `\d+`", "seed"),
        ("import random\nprint(random.random())", "prints something else each time: line 1", "seed"),
        ("print({'warp', 'block', 'grid', 'thread', 'lane'})", "prints something else each time", "sort what comes out of a set"),
        ("print('x' * 65)", "prints a line of 65 columns .line 1., at most 64", "rows that teach"),
        ("print('\\t' * 9)\nprint(1)", "prints a line of 72 columns", "rows that teach"),
        ("print('x\\n' * 41, end='')", "prints 41 lines, at most 40", "rows that teach"),
        ("pass", "prints nothing", ""),
        ("print('\\0')", r"invisible character U\+0000, in line 1", "repr"),
        ("print('one\\ntwo\\rthree')", r"invisible character U\+000D, in line 2", "repr"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff')", "bytes that are not UTF-8", "print text"),
        ("while True: print('again')", "printed 100,000 bytes and more", "does each loop in it end"),
        ("open('big', 'wb').write(bytes(1 << 20))", "File too large", ""),
        ("bytes(1 << 40)", "MemoryError", ""),
        ("input()", "EOFError", ""),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV", ""),
    ],
)
def test_what_a_page_could_not_show_the_same_is_refused(tmp_path: Path, code: str, message: str, hint: str) -> None:
    with pytest.raises(SnippetError, match=message) as raised:
        record_python(snippet(tmp_path, f"{code}\n"), TODAY)
    assert hint in raised.value.hint
    assert "count.py" not in str(raised.value).split("\n")[0], "whoever reports it names the file, once"


def test_what_fits_to_the_last_line_and_column_is_recorded(tmp_path: Path) -> None:
    assert record_python(snippet(tmp_path, "print('\\n'.join(['x' * 64] * 40))\n"), TODAY).body.count("\n") == 40


def test_a_slow_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "CPU_SECONDS", 0.0)
    with pytest.raises(SnippetError, match="of CPU time"):
        record_python(snippet(tmp_path, "print(1)\n"), TODAY)


def test_what_a_file_started_ends_with_it_and_what_it_wrote_is_gone(tmp_path: Path) -> None:
    """A process of its own must neither hold the recording up nor stay behind."""
    left = tmp_path / "left"
    code = f"""
import os, time
open("beside", "w").write("x")
if not os.fork():
    time.sleep(1)
    open({str(left)!r}, "w").close()
    time.sleep(60)
print(sorted(os.listdir()))
"""
    started = time.monotonic()
    assert record_python(snippet(tmp_path, code), TODAY).body == "['beside']\n"
    assert time.monotonic() - started < 50
    time.sleep(1.5)
    assert not left.exists()


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "count.py").write_bytes(b"print('\xff')\n")
    with pytest.raises(SnippetError, match=r"is not UTF-8: .*0xff"):
        record_python(tmp_path / "count.py", TODAY)
