"""Builds of the site for the offline tests: the real one, and copies of it in which something has changed since."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from gpubites.export.offline import offline_manifest

SITE = Path(os.environ.get("SITE_DIR", Path(__file__).parents[2] / "site"))

KEEP = "() => gpubites.keepOffline()"
# A promise that fails comes back as its reason, for a test to read.
KEEP_OR_REASON = f"() => ({KEEP})().then(() => 'kept', (problem) => `${{problem.reason}}: ${{problem.message}}`)"

Change = Callable[[bytes], bytes]


def changed_site(into: Path, changes: Mapping[str, Change], site: Path = SITE) -> Path:
    """A later build: some files have other bytes, and offline.json knows it."""
    damaged_site(into, changes, site)
    files = ((path.relative_to(into).as_posix(), path.read_bytes()) for path in into.rglob("*") if path.is_file())
    _replace(into / "offline.json", offline_manifest(files).encode())
    return into


def damaged_site(into: Path, changes: Mapping[str, Change], site: Path = SITE) -> Path:
    """The same, but offline.json still tells the hashes from before."""
    shutil.copytree(site, into, copy_function=_link)
    for path, change in changes.items():
        _replace(into / path, change((into / path).read_bytes()))
    return into


def text_changed(before: str, after: str) -> Change:
    def change(content: bytes) -> bytes:
        assert before.encode() in content, f"{before!r} is nowhere in the file"
        return content.replace(before.encode(), after.encode())

    return change


def every_page(change: Change, site: Path = SITE) -> dict[str, Change]:
    return {path.relative_to(site).as_posix(): change for path in site.rglob("*.html")}


def new_entry_script(site: Path = SITE) -> dict[str, Change]:
    """What a change of our own JavaScript looks like: another entry, by another name, in every page."""
    old = entry_script(site)
    new = old.replace("assets/app-", "assets/app-X")
    return every_page(text_changed(old.removeprefix("assets/"), new.removeprefix("assets/")), site)


def entry_script(site: Path = SITE) -> str:
    [path] = site.glob("assets/app-*.js")
    return path.relative_to(site).as_posix()


def pack_bytes(pack: str, site: Path = SITE) -> int:
    return int(json.loads((site / "offline.json").read_text())["packs"][pack]["bytes"])


def pack_files(pack: str, site: Path = SITE) -> list[str]:
    return [path for path, _, _ in json.loads((site / "offline.json").read_text())["packs"][pack]["files"]]


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)


def _replace(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)  # the copy is a link: writing through it would change the site itself
    path.write_bytes(content)
