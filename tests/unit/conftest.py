"""The small good library, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpubites.library import Library, load_library

GOOD = Path(__file__).parent.parent / "rules" / "good"


@pytest.fixture(scope="session")
def good() -> Library:
    return load_library(GOOD)
