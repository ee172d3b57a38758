"""A text file of the project: UTF-8 without a byte order mark, lines that end in LF."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from gpubites.problem import Wrong

AS_TEXT = "save it as UTF-8 without a byte order mark, with LF line ends"
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
REPLACEMENT = "\ufffd"
LARGEST = 1_000_000  # bytes; the longest page is a fiftieth of it, and patterns over a giant would take minutes
# What no editor shows: control characters but tab and line feed, marks that turn the direction of the line around, blanks of no width.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


@dataclass(frozen=True)
class TextFile:
    """What could be read, and what is wrong with the bytes."""

    text: str
    wrong: tuple[Wrong, ...]


def read_text_file(path: Path) -> TextFile:
    """Read as far as possible, so that one odd byte does not hide what else is wrong. Never raises."""
    if path.is_symlink():  # it could publish a file of the machine that builds
        return TextFile("", (Wrong(1, "is a symbolic link", "put the file itself here"),))
    try:
        data = path.read_bytes()
    except OSError as error:
        return TextFile("", (Wrong(1, f"cannot be read: {error.strerror}", "a file that everybody may read"),))
    if len(data) > LARGEST:
        return TextFile("", (Wrong(1, f"has {len(data):,} bytes, at most {LARGEST:,} are read as text", "one file, one idea: split it"),))
    wrong: list[Wrong] = []
    if data.startswith(UTF_16):
        wrong.append(Wrong(1, "is UTF-16, not UTF-8", AS_TEXT))
        data = data.decode("utf-16", errors="replace").encode("utf-8", errors="replace")
    elif data.startswith(codecs.BOM_UTF8):
        wrong.append(Wrong(1, "begins with a byte order mark", AS_TEXT))
        data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = data[error.start : error.start + 1]
        wrong.append(Wrong(_line(data, error.start), f"byte 0x{byte.hex()} is not UTF-8{_in_latin_1(byte)}", AS_TEXT))
        text = data.decode("utf-8", errors="replace")
    if b"\r" in data:
        wrong.append(Wrong(_line(data, data.index(b"\r")), "the line ends in CR, not LF", AS_TEXT))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if odd := UNSEEN.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        message = f"holds the invisible character U+{ord(odd[0]):04X}, {_name(odd[0])}"
        wrong.append(Wrong(line, message, "delete it, or write it as an escape"))
    return TextFile(text, tuple(wrong))


def _in_latin_1(byte: bytes) -> str:
    """What an editor that saves as Latin-1 meant by it."""
    letter = byte.decode("cp1252", errors="replace")
    return f"; in Latin-1 it is `{letter}`" if letter.isprintable() and letter != REPLACEMENT else ""


def _name(character: str) -> str:
    return unicodedata.name(character, "a control character").lower()


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
