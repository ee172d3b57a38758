"""Simulators as modules: the same file that the page runs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

SNIPPETS = Path(__file__).resolve().parents[2] / "snippets"


def simulator(path: str) -> ModuleType:
    """`bank-conflicts/bank_lab.py` as a module."""
    source = SNIPPETS / path
    module = ModuleType(source.stem)
    exec(compile(source.read_text(encoding="utf-8"), str(source), "exec"), module.__dict__)
    return module
