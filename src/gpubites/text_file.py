"""A text file of the project: UTF-8 without a byte order mark, lines that end in LF."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class TextFile:
    """What could be read, and what is wrong with the bytes as (line, message)."""

    text: str
    wrong: tuple[tuple[int, str], ...]


def read_text_file(path: Path) -> TextFile:
    """Read as far as possible, so that one odd byte does not hide what else is wrong. Never raises."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return TextFile("", ((1, f"cannot be read: {error.strerror}"),))
    wrong: list[tuple[int, str]] = []
    if data.startswith(codecs.BOM_UTF8):
        wrong.append((1, "begins with a byte order mark"))
        data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong.append((_line(data, error.start), f"byte {data[error.start]:#04x} is not UTF-8"))
        text = data.decode("utf-8", errors="replace")
    if b"\r" in data:
        wrong.append((_line(data, data.index(b"\r")), "the line ends in CR, not LF"))
    return TextFile(text.replace("\r\n", "\n").replace("\r", "\n"), tuple(wrong))


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
