"""Runs the reader's file as `python file.py` would, in an interpreter that has run others before and will run more after."""

import asyncio
import builtins
import gc
import linecache
import sys
import traceback
from json import dumps
from types import ModuleType, TracebackType
from typing import TextIO

# What cannot work in a browser, known by what the exception says, and what to do about it.
ELSEWHERE = "do not run in the browser. With your own Python this file may use them."
NO_NETWORK = "There is no network here: a program can neither fetch nor send."
HINTS = [
    (EOFError, "EOF when reading a line", "There is no keyboard here for input(): write the value into the code."),
    (RuntimeError, "can't start new thread", f"Threads {ELSEWHERE}"),
    (OSError, "does not support processes", f"Other programs {ELSEWHERE}"),
    (ImportError, "_multiprocessing", f"Processes {ELSEWHERE}"),
    (ImportError, "_posixshmem", f"Processes {ELSEWHERE}"),
    (ModuleNotFoundError, "", "Here the standard library and numpy can be imported, and nothing can be installed."),
    (MemoryError, "", "Python has 512 MiB here."),
    (RuntimeError, "stack switch", "This browser has no WebAssembly stack switching, which asyncio needs here. Chrome and Edge have it."),
    (RuntimeError, "TLS not supported", NO_NETWORK),
    (OSError, "urlopen error", NO_NETWORK),
    (ConnectionError, "", NO_NETWORK),
]
LONGEST_TRACEBACK = 60  # lines
LONGEST_LINE = 400  # characters


def run_file(name: str, code: str) -> str:
    """Runs `code` as `__main__` under the file name `name`. Returns JSON: ok, traceback, message, line, hint, reuse."""
    main = ModuleType("__main__")
    main.__dict__.update(__file__=name, __builtins__=builtins)
    outer, sys.modules["__main__"] = sys.modules["__main__"], main
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    sys.argv = [name]
    sys.modules.pop("js", None)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)
    try:
        exec(compile(code, name, "exec", dont_inherit=True), main.__dict__)
        end_tasks()
        outcome = ended()
    except SystemExit as error:
        outcome = exited(error)
    except BaseException as error:  # KeyboardInterrupt too: the reader's program may raise anything
        outcome = failed(error, name)
    finally:
        flush()
        put_back(outer)
    main.__dict__.clear()
    gc.collect()
    return dumps(outcome)


def ended(*, traceback: str = "", message: str = "", line: int = 0, hint: str = "") -> dict[str, object]:
    # A program that reached for JavaScript may have left timers and listeners behind, one that closed its streams leaves no place
    # to print to: no other program follows it in this worker.
    reuse = "js" not in sys.modules and all(is_open(stream) for stream in STREAMS)
    return {"ok": not message, "traceback": traceback, "message": message, "line": line, "hint": hint, "reuse": reuse}


def is_open(stream: TextIO) -> bool:
    try:
        return not stream.closed
    except ValueError:  # detached
        return False


def exited(error: SystemExit) -> dict[str, object]:
    """`sys.exit(2)` and `sys.exit("no input")` fail, `sys.exit()` does not; a traceback is shown for none."""
    if error.code is None or error.code == 0:
        return ended()
    if isinstance(error.code, int):
        return ended(message=f"The program exited with status {error.code}.")
    return ended(traceback=f"{error.code}\n"[:LONGEST_LINE], message="The program exited with a message.")


def failed(error: BaseException, name: str) -> dict[str, object]:
    """The traceback as CPython prints it: without the frames of the runner, which come before the first of the file's."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename != name:
        frames = frames.tb_next
    try:
        lines = [line[:LONGEST_LINE] for line in "".join(traceback.format_exception(type(error), error, frames)).splitlines()]
        message = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1][:LONGEST_LINE]
    except Exception as broken:  # the program's own __str__ can fail too
        lines = [message := f"{type(error).__name__} (and its text cannot be shown: {type(broken).__name__})"]
    if len(lines) > LONGEST_TRACEBACK:
        half = LONGEST_TRACEBACK // 2
        lines[half:-half] = [f"  … {len(lines) - 2 * half} lines …"]
    return ended(traceback="\n".join(lines) + "\n", message=message, line=line_of(error, frames, name), hint=hint_for(error))


def line_of(error: BaseException, frames: TracebackType | None, name: str) -> int:
    """The line of the reader's file that raised, or that called what raised."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return error.lineno or 0
    lines = [line for frame, line in traceback.walk_tb(frames) if frame.f_code.co_filename == name]
    return lines[-1] if lines else 0


def hint_for(error: BaseException) -> str:
    for kind, words, hint in HINTS:
        if isinstance(error, kind) and words in str(error):
            return hint
    return ""


def end_tasks() -> None:
    """Cancels what the program left in the event loop, as `asyncio.run` does when its main ends, and lets it clean up."""
    loop = asyncio.events._get_running_loop()
    tasks = asyncio.all_tasks(loop) if loop else set()
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def flush() -> None:
    """Half a line must not wait for the next program's output; a stream that the program replaced or closed is its own affair."""
    for stream in (sys.stdout, sys.stderr, STREAMS[0], STREAMS[1]):
        try:
            stream.flush()
        except Exception:
            continue


def put_back(outer: ModuleType) -> None:
    """What one program changed must not meet the next."""
    sys.modules["__main__"] = outer
    sys.stdout, sys.stderr = STREAMS
    sys.setrecursionlimit(RECURSION_LIMIT)
    builtins.__dict__.update(BUILTINS)
    for name in builtins.__dict__.keys() - BUILTINS.keys():
        del builtins.__dict__[name]


BUILTINS = dict(builtins.__dict__)
STREAMS = (sys.stdout, sys.stderr)
RECURSION_LIMIT = sys.getrecursionlimit()
