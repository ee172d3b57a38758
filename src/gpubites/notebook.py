"""A notebook page: its title, and whether the outputs in it come from the code in it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Notebook:
    """`path` is relative to the project's root. `error` says why it cannot be read.

    `prose` is its Markdown, `worked` its code and what that printed.
    """

    name: str
    path: str
    title: str
    fresh: bool
    error: str = ""
    prose: str = ""
    worked: str = ""

    @property
    def url(self) -> str:
        """Relative to the site's root."""
        return f"notebooks/{self.name}/"


def read_notebooks(root: Path) -> dict[str, Notebook]:
    """Every notebook of docs/notebooks, by name."""
    return {path.stem: _read(path, root) for path in sorted((root / "docs" / "notebooks").glob("*.ipynb"))}


def _read(path: Path, root: Path) -> Notebook:
    shown = path.relative_to(root).as_posix()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in data["cells"]]
        recorded = data.get("metadata", {}).get("gpubites", {}).get("code-sha256")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return Notebook(path.stem, shown, path.stem, False, f"not a notebook: {error!r}")
    headings = [text.split("\n")[0] for kind, text in cells if kind == "markdown" and text.startswith("# ")]
    prose = "\n\n".join(text for kind, text in cells if kind == "markdown")
    worked = json.dumps([cell for cell in data["cells"] if cell["cell_type"] == "code"])
    return Notebook(path.stem, shown, headings[0][2:] if headings else path.stem, recorded == code_sha256(data), "", prose, worked)


def code_sha256(notebook: dict[str, Any]) -> str:
    """Hex digest of the code cells' text: what a recording was made from."""
    code = "\0".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    return hashlib.sha256(code.encode()).hexdigest()
