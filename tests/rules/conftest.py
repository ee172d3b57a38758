"""A good library to break: every test gets a copy of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

GOOD = Path(__file__).parent / "good"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of tests/rules/good, in which nothing is wrong."""
    return Path(shutil.copytree(GOOD, tmp_path / "project"))
