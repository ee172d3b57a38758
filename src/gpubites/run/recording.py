"""A recording: what a snippet printed or drew, and where that came from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from gpubites.yaml_text import read_yaml


@dataclass(frozen=True)
class Recording:
    """Front matter (`header`: command, versions, date, `sources`: file name → sha256) and the verbatim `body`."""

    header: dict[str, object]
    body: str

    @property
    def sources(self) -> dict[str, str]:
        """File name → sha256 of the bytes that were run, all beside the recording."""
        sources = self.header.get("sources")
        return {str(name): str(digest) for name, digest in sources.items()} if isinstance(sources, dict) else {}

    def version(self, tool: str) -> str:
        """The version of a tool named under `versions`, or an empty text."""
        versions = self.header.get("versions")
        return str(versions.get(tool, "")) if isinstance(versions, dict) else ""

    def text(self) -> str:
        """The file's text: the header between `---` lines, then the body, byte for byte."""
        return f"---\n{yaml.safe_dump(self.header, sort_keys=False, allow_unicode=True, width=1000)}---\n{self.body}"

    def is_fresh(self, folder: Path) -> bool:
        """Were exactly the bytes now in `folder` recorded?"""
        return bool(self.sources) and all(
            (folder / name).is_file() and sha256_of(folder / name) == digest for name, digest in self.sources.items()
        )


def parse_recording(text: str) -> Recording:
    """The inverse of `Recording.text`. Raises `ValueError` where the front matter is not a mapping between `---` lines."""
    if not text.startswith("---\n") or "\n---\n" not in text:
        raise ValueError("a recording opens with front matter between two `---` lines")
    header_text, body = text.removeprefix("---\n").split("\n---\n", 1)
    header = read_yaml(header_text)
    if not isinstance(header, dict):
        raise ValueError("the front matter of a recording is a mapping")
    return Recording(header, body)


def recording_path(source: Path) -> Path:
    """`count_sectors.py` → `count_sectors.recording.txt`, beside it."""
    return source.with_name(f"{source.stem}.recording.txt")


def sha256_of(path: Path) -> str:
    """Hex digest of the file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digests(paths: Iterable[Path]) -> dict[str, str]:
    """The `sources` entry of a header: file name → sha256."""
    return {path.name: sha256_of(path) for path in paths}
