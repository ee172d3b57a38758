"""A notebook's outputs compare by cell, and its code by hash."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gpubites.library import Library, load_library
from gpubites.run.notebook import NotebookError, changed_cells, is_fresh, record_notebook
from gpubites.run.record import record_all

TODAY = date(2026, 11, 30)


def notebook(*sources: str, tags: tuple[str, ...] = ()) -> str:
    cells = [
        {"cell_type": "code", "source": source, "metadata": {"tags": list(tags)}, "outputs": [], "execution_count": 7} for source in sources
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells})


def written(folder: Path, text: str) -> Path:
    path = folder / "sample.ipynb"
    path.write_text(text)
    return path


def outputs(text: str) -> list[Any]:
    return [cell["outputs"] for cell in json.loads(text)["cells"]]


def test_a_notebook_is_written_back_with_what_it_showed(tmp_path: Path) -> None:
    path = written(tmp_path, notebook("x = 20", "print(x)\nprint(1)\nx + 1"))
    recorded = record_notebook(path, TODAY)
    stream, result = outputs(recorded)[1]
    assert "".join(stream["text"]) == "20\n1\n"
    assert result["data"]["text/plain"] == ["21"]
    assert changed_cells(path.read_text(), recorded) == ["cell-2"]

    path.write_text(recorded)
    assert record_notebook(path, TODAY) == recorded, "a second run changes nothing, ids included"
    assert is_fresh(recorded)


def test_code_that_was_changed_after_the_recording_is_stale(tmp_path: Path) -> None:
    recorded = record_notebook(written(tmp_path, notebook("print('warp')")), TODAY)
    assert is_fresh(recorded)
    assert not is_fresh(recorded.replace("print('warp')", "print('wasp')"))


def test_changed_outputs_name_their_cell(tmp_path: Path) -> None:
    recorded = record_notebook(written(tmp_path, notebook("print(1)", "print(2)")), TODAY)
    assert changed_cells(recorded, recorded) == []
    assert changed_cells(recorded.replace('"2\\n"', '"3\\n"'), recorded) == ["cell-2"]


@pytest.mark.parametrize("tags", [(), ("raises-exception",)])
def test_an_error_is_never_recorded(tmp_path: Path, tags: tuple[str, ...]) -> None:
    with pytest.raises(NotebookError, match="ZeroDivisionError"):
        record_notebook(written(tmp_path, notebook("1 / 0", tags=tags)), TODAY)


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": [{"cell_type": "code"}], "nbformat": 4}', '{"cells": 1}'])
def test_what_is_no_notebook_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "sample.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(NotebookError, match=r"^is no notebook: "):
        record_notebook(tmp_path / "sample.ipynb", TODAY)


def test_a_notebook_that_shows_something_else_each_time_is_refused(good: Library, tmp_path: Path) -> None:
    project = Path(shutil.copytree(good.root, tmp_path / "project"))
    written(project / "docs/notebooks", notebook("import time\nprint(time.time_ns())")).replace(project / "docs/notebooks/sectors.ipynb")
    before = (project / "docs/notebooks/sectors.ipynb").read_bytes()
    (outcome,) = record_all(load_library(project), TODAY, only="sectors")
    assert (outcome.path, outcome.state) == ("docs/notebooks/sectors.ipynb", "failed")
    assert outcome.detail.startswith("shows something else each time: cell ")
    assert "hint: seed the random numbers" in outcome.detail
    assert (project / "docs/notebooks/sectors.ipynb").read_bytes() == before
