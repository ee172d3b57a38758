"""The browser's search, asked from Python: node runs it on the files of an index."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[3] / "tests" / "search" / "ask.mjs"


def ask(site: Path, queries: Sequence[str | dict[str, object]]) -> list[dict[str, Any]]:
    """What the search of a folder answers to each query: `bites`, `others` and so on, as web/core/search/search.js describes them."""
    ran = subprocess.run(["node", str(SCRIPT), str(site)], input=json.dumps(queries), capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr)
    answers: list[dict[str, Any]] = json.loads(ran.stdout)
    return answers
