"""A problem: what is wrong with one line, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Wrong(NamedTuple):
    """What the reader of one file finds: the line, what is wrong with it, and how to mend it."""

    line: int
    message: str
    hint: str = ""


@dataclass(frozen=True, order=True)
class Problem:
    """`path` is relative to the project's root, `line` counts from 1."""

    path: str
    line: int
    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        # One line each, whatever was typed into the file: editors and scripts read them by line.
        head = " ".join(f"{self.path}:{self.line} {self.code} {self.message}".split())
        return f"{head}\n    hint: {' '.join(self.hint.split())}" if self.hint else head


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """`did you mean `memory-hierarchy`?` for a near miss, else an empty text."""
    close = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else ""


def named(value: object) -> str:
    """A value as a message shows it."""
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a mapping"
    return f"`{value}`"
