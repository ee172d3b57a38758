"""A notebook page: its title, what it is about, what recorded it, and whether the outputs in it come from the code in it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpubites.prose import plain


@dataclass(frozen=True)
class Notebook:
    """`path` is relative to the project's root. `error` says why it cannot be read.

    `prose` is its Markdown, `worked` its code and what that printed. `lead` is the paragraph below the title; `python` and `recorded_on`
    (a day) are empty where nothing was recorded yet.
    """

    name: str
    path: str
    title: str
    fresh: bool
    error: str = ""
    prose: str = ""
    worked: str = ""
    lead: str = ""
    python: str = ""
    recorded_on: str = ""

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
        recording = {name: str(value) for name, value in data.get("metadata", {}).get("gpubites", {}).items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return Notebook(path.stem, shown, path.stem, False, f"not a notebook: {error!r}")
    opening = next((text for kind, text in cells if kind == "markdown" and text.startswith("# ")), f"# {path.stem}")
    title, _, rest = opening.partition("\n")
    prose = "\n\n".join(text for kind, text in cells if kind == "markdown")
    worked = json.dumps([cell for cell in data["cells"] if cell["cell_type"] == "code"])
    return Notebook(
        name=path.stem,
        path=shown,
        title=title.removeprefix("# "),
        fresh=recording.get("code-sha256") == code_sha256(data),
        prose=prose,
        worked=worked,
        lead=" ".join(plain(rest.strip().partition("\n\n")[0]).split()),
        python=recording.get("python", ""),
        recorded_on=recording.get("recorded", ""),
    )


def code_sha256(notebook: dict[str, Any]) -> str:
    """Hex digest of the code cells' text: what a recording was made from."""
    code = "\0".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")
    return hashlib.sha256(code.encode()).hexdigest()
