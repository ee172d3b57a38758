"""The browser that draws posters and runs the tests: where it is on this machine, or how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

# What every start of the browser gets. A container's root has no sandbox to offer; the rest keeps the browser from calling home.
LAUNCH_ARGS = (
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# WebGL without a graphics card, and with the same pixels on every machine. Chromium wants the second flag for it.
WEBGL_ARGS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")

# WebGPU the same way: computed by the CPU.
WEBGPU_ARGS = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")

ON_THE_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class NoBrowser(Exception):
    """No browser is here and none could be brought; the message says what to install."""


def find_chromium() -> Path:
    """The first of: $CHROMIUM, the PATH, Playwright's own download, Debian's package. Raises `NoBrowser`."""
    return first_found([_named, _on_the_path, _playwrights, _downloaded, _debians])


def first_found(places: list[Callable[[], Path | None]]) -> Path:
    """Each place is asked only when those before it had nothing: the later ones download."""
    for place in places:
        if found := place():
            return found
    raise NoBrowser("no Chromium here: install one (Debian: apt-get install chromium) or set CHROMIUM=/path/to/chromium")


def _named() -> Path | None:
    named = os.environ.get("CHROMIUM")
    if not named:
        return None
    found = shutil.which(named)
    if found is None:
        raise NoBrowser(f"CHROMIUM is set to {named}, which is no program")
    return Path(found)


def _on_the_path() -> Path | None:
    return next((Path(found) for name in ON_THE_PATH if (found := shutil.which(name))), None)


def _playwrights() -> Path | None:
    """Playwright's download, where it is there and starts: on a bare system its libraries may be missing."""
    asked = "from playwright.sync_api import sync_playwright as p\nwith p() as it: print(it.chromium.executable_path)"
    # A process of its own, because Playwright refuses to start twice in one.
    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    path = Path(said.stdout.strip() or "/nonexistent")
    return path if path.is_file() and _succeeds([path, "--version"]) else None


def _downloaded() -> Path | None:
    print("gpubites: no Chromium found, downloading Playwright's", file=sys.stderr)
    return _playwrights() if _succeeds([sys.executable, "-m", "playwright", "install", "chromium"]) else None


def _debians() -> Path | None:
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return None
    print("gpubites: installing Debian's chromium", file=sys.stderr)
    return _on_the_path() if _succeeds(["apt-get", "update"]) and _succeeds(["apt-get", "install", "-y", "chromium"]) else None


def _succeeds(command: list[str | Path]) -> bool:
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    try:
        print(find_chromium())
    except NoBrowser as error:
        sys.exit(f"gpubites: {error}")
