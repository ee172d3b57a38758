"""What every test may use: the project's folder, its library, and the built site."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from gpubites.library import Library, load_library

ROOT = Path(__file__).resolve().parent.parent
# How long an example takes is the machine's affair.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
os.environ["PYTHONPATH"] = str(ROOT / "src")  # for the commands that tests run, as make does it


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def library() -> Library:
    return load_library(ROOT)


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder that `make site` filled. Tests run on the real thing, so there has to be one."""
    folder = ROOT / "site"
    assert (folder / "offline.json").is_file(), "there is no built site: make site"
    return folder
