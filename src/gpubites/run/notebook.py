"""A notebook is its own recording: run from top to bottom, errors forbidden, and written back with what it showed."""

from __future__ import annotations

import json
import os
import platform
import re
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from gpubites.notebook import code_sha256

SECONDS_PER_CELL = 60
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class NotebookError(Exception):
    """Not a notebook, or a cell fails or shows something else each time. The message names the cell; whoever catches it, the file."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def record_notebook(path: Path, today: date) -> str:
    """The notebook's text with the outputs of a fresh run. Raises `NotebookError`."""
    try:
        notebook = _read(path.read_text(encoding="utf-8"))
    except (ValueError, LookupError, TypeError, AttributeError, nbformat.ValidationError) as error:
        raise NotebookError(f"is no notebook: {' '.join(str(error).split())}") from None
    try:
        _execute(notebook, path.parent)
    except CellTimeoutError:
        raise NotebookError(f"a cell has not ended after {SECONDS_PER_CELL} s", "does each loop in it end?") from None
    except (CellExecutionError, DeadKernelError) as error:
        raise NotebookError(ANSI.sub("", str(error))) from None

    notebook.metadata.clear()
    notebook.metadata.update(
        kernelspec={"display_name": "Python 3", "language": "python", "name": "python3"},
        language_info={"name": "python"},
        gpubites={
            "recorded": today.isoformat(),
            "python": platform.python_version(),
            "code-sha256": code_sha256(notebook),
        },
    )
    return _written(notebook)


def is_fresh(text: str) -> bool:
    """Was exactly the code that now stands in the notebook recorded?"""
    notebook = _read(text)
    return bool(notebook.metadata.get("gpubites", {}).get("code-sha256") == code_sha256(notebook))


def changed_cells(recorded: str, fresh: str) -> list[str]:
    """Ids of the code cells that show something else in the fresh run."""
    before, after = _outputs(_read(recorded)), _outputs(_read(fresh))
    return [cell for cell in {**before, **after} if before.get(cell) != after.get(cell)]


def _execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as sockets:
        # The kernel is this Python, whatever kernels the machine has, and is spoken to through files: no port is opened.
        kernel = AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            transport="ipc",
            ip=f"{sockets}/kernel",
        )
        client = NotebookClient(
            notebook,
            km=kernel,
            timeout=SECONDS_PER_CELL,
            force_raise_errors=True,  # a cell's tag `raises-exception` allows nothing here
            record_timing=False,
            coalesce_streams=True,  # where one print ends and the next begins is chance
            resources={"metadata": {"path": str(folder)}},
        )
        client.execute(env={**os.environ, "PYTHONHASHSEED": "0"})


def _read(text: str) -> nbformat.NotebookNode:
    """With an id for every cell: nbformat would make up a new one each time."""
    data = json.loads(text)
    data["nbformat_minor"] = 5
    for index, cell in enumerate(data["cells"], start=1):
        cell.setdefault("id", f"cell-{index}")
    notebook: nbformat.NotebookNode = nbformat.reads(json.dumps(data), as_version=4)  # type: ignore[no-untyped-call]  # half typed
    return notebook


def _written(notebook: nbformat.NotebookNode) -> str:
    for cell in notebook.cells:
        for volatile in ("execution", "ExecuteTime", "collapsed", "scrolled"):
            cell.metadata.pop(volatile, None)
    nbformat.validate(notebook)
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]  # half typed
    return f"{text.rstrip()}\n"


def _outputs(notebook: nbformat.NotebookNode) -> dict[str, Any]:
    return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
