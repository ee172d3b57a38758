"""The offline manifest: every file of the built site that a reader can keep, by pack, with the hash it is checked against."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Literal

Pack = Literal["library", "python", "numpy"]
PACKS: tuple[Pack, ...] = ("library", "python", "numpy")

# `api/` and the feeds are read by other programs, which have a network; sheets of cards wait for a printer, as decks wait for their
# program; Material's own scripts and styles are loaded by no page; the rest is of no use to a page that is offline.
LEFT_OUT_FOLDERS = ("api/", "decks/print/", "assets/javascripts/", "assets/stylesheets/", "assets/images/")
LEFT_OUT_FILES = frozenset({"sw.js", "offline.json", "names.json", "robots.txt", "sitemap.xml", "sitemap.xml.gz", "CNAME"})
LEFT_OUT_SUFFIXES = (".map", ".recording.txt", ".xml", ".ics", ".apkg", ".csv", ".md")
PYTHON_FOLDER = "assets/python/"


def offline_manifest(files: Iterable[tuple[str, bytes]]) -> str:
    """The text of offline.json, from each file's path in the site and its bytes.

    `{"version", "packs": {"library": {"bytes", "files": [[path, sha256, bytes], …]}, "python": …, "numpy": …}}`.
    The version is the sha256 of the packs as they are written, so that equal sites have equal versions.
    """
    packs: dict[Pack, list[tuple[str, str, int]]] = {pack: [] for pack in PACKS}
    for path, content in sorted(files):
        pack = pack_of(path)
        if pack:
            packs[pack].append((path, hashlib.sha256(content).hexdigest(), len(content)))
    listed = _json({pack: {"bytes": sum(size for _, _, size in entries), "files": entries} for pack, entries in packs.items()})
    version = hashlib.sha256(listed.encode()).hexdigest()
    return f'{{"version":"{version}","packs":{listed}}}\n'


def pack_of(path: str) -> Pack | None:
    """The pack that holds the file at `path`, or None where a reader who is offline has no use for it."""
    if path in LEFT_OUT_FILES or path.startswith(LEFT_OUT_FOLDERS) or path.endswith(LEFT_OUT_SUFFIXES):
        return None
    if not path.startswith(PYTHON_FOLDER):
        return "library"
    return "numpy" if path.removeprefix(PYTHON_FOLDER).startswith("numpy") else "python"


def _json(value: object) -> str:
    """As JSON.stringify writes it: the worker hashes what it has parsed and stringified again."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
