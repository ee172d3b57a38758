"""Every notebook runs from top to bottom and shows what is written in it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gpubites.run.notebook import changed_cells, is_fresh, record_notebook

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_shows_what_it_recorded(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8")
    assert is_fresh(recorded), f"{path} is not recorded as it stands: make record"
    assert changed_cells(recorded, record_notebook(path, date(2026, 11, 30))) == []
