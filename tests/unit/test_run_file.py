"""The part of the in-page runner that is Python: one interpreter runs file after file as if each were the first."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

RUN_FILE = Path(__file__).parents[2] / "web" / "workers" / "run_file.py"
DRIVER = """
import json, sys
exec(compile(open(sys.argv[1]).read(), "run_file.py", "exec"))
for code in json.load(sys.stdin):
    outcome = run_file("mine.py", code)
    print("\\0" + outcome + "\\0")
"""


@dataclass(frozen=True)
class Ended:
    printed: str
    ok: bool
    traceback: str
    message: str
    line: int
    hint: str
    reuse: bool


def run(*programs: str) -> list[Ended]:
    """Runs the programs one after another in one interpreter."""
    command = [sys.executable, "-c", DRIVER, str(RUN_FILE)]
    output = subprocess.run(command, input=json.dumps(programs), capture_output=True, text=True, check=True, timeout=60).stdout
    pieces = output.split("\0")[:-1]
    return [Ended(printed.removeprefix("\n"), **json.loads(outcome)) for printed, outcome in zip(pieces[::2], pieces[1::2], strict=True)]


def run_one(code: str) -> Ended:
    return run(code)[0]


def test_a_file_runs_as_main_under_its_own_name() -> None:
    ended = run_one("import sys\nprint(__name__, __file__, sys.argv)\n")
    assert (ended.printed, ended.ok, ended.message) == ("__main__ mine.py ['mine.py']\n", True, "")


def test_a_traceback_begins_at_the_readers_file_and_shows_its_lines() -> None:
    ended = run_one("def half(n):\n    return 1 / n\n\nhalf(0)\n")
    assert ended.traceback.startswith('Traceback (most recent call last):\n  File "mine.py", line 4, in <module>\n    half(0)\n')
    assert "run_file" not in ended.traceback
    assert (ended.ok, ended.line, ended.message) == (False, 2, "ZeroDivisionError: division by zero")


def test_the_line_is_the_readers_when_a_library_raises() -> None:
    ended = run_one("import json\n\njson.loads('{')\n")
    assert ended.line == 3
    assert "json/decoder.py" in ended.traceback


def test_a_syntax_error_has_a_line_and_no_frames() -> None:
    ended = run_one("print(1)\nx = (1,\n")
    assert ended.printed == ""
    assert ended.line == 2
    assert ended.traceback.startswith('  File "mine.py", line 2\n')


def test_what_cannot_work_here_says_what_to_do() -> None:
    hints = [ended.hint for ended in run("input()", "import no_such_package", 'raise RuntimeError("can\'t start new thread")', "1 / 0")]
    assert [hint[:26] for hint in hints] == [
        "There is no keyboard here ",
        "Here the standard library ",
        "Threads do not run in the ",
        "",
    ]


def test_exit_is_no_crash() -> None:
    fine, status, words = run("raise SystemExit", "raise SystemExit(3)", "import sys\nsys.exit('no data')")
    assert fine.ok
    assert (status.ok, status.message, status.traceback) == (False, "The program exited with status 3.", "")
    assert (words.ok, words.traceback) == (False, "no data\n")


def test_every_file_starts_afresh() -> None:
    first = "import builtins, sys\nkept = 1\nbuiltins.print = None\nbuiltins.zap = 1\nsys.setrecursionlimit(50)\nsys.stdout = None\n"
    second = "import sys\nprint('kept' in globals(), sys.getrecursionlimit() > 500)\nzap\n"
    ended = run(first, second)[1]
    assert ended.printed == "False True\n"
    assert ended.message.startswith("NameError: name 'zap'")


def test_half_a_line_is_flushed_before_the_end_is_told() -> None:
    first, second = run("print('half', end='')", "print('whole')")
    assert (first.printed, second.printed) == ("half", "whole\n")


def test_a_class_of_the_file_can_be_found_by_its_name() -> None:
    code = "import pickle\nclass Point: pass\nprint(type(pickle.loads(pickle.dumps(Point()))) is Point)\n"
    assert run_one(code).printed == "True\n"


def test_a_huge_traceback_is_cut_in_the_middle() -> None:
    ended = run_one("def even(n): odd(n + 1)\ndef odd(n): even(n + 1)\neven(0)\n")
    assert len(ended.traceback.splitlines()) < 70
    assert "RecursionError" in ended.traceback.splitlines()[-1]
    assert len(run_one("raise ValueError('x' * 10**6)").traceback) < 1000


def test_an_exception_that_cannot_be_shown_is_told_all_the_same() -> None:
    code = "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd\n"
    ended = run_one(code)
    assert not ended.ok
    assert "Odd" in ended.traceback


def test_a_file_that_reaches_for_javascript_is_the_last_in_its_worker() -> None:
    plain, reaching, after = run("print(1)", "import sys, types\nsys.modules['js'] = types.ModuleType('js')\nimport js\n", "print(2)")
    assert (plain.reuse, reaching.reuse, after.reuse) == (True, False, True)
