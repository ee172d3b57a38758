"""The app icon as PNG, drawn from app.svg: for the home screens and stores that take no SVG."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from gpubites.chromium import LAUNCH_ARGS, find_chromium
from gpubites.run.recording import Recording, digests

SIZES = (180, 192, 512)  # Apple's home screen; the two that Chromium asks of an app that can be installed


def icon_path(source: Path, size: int) -> Path:
    """`app.svg` → `app-192.png`, beside it."""
    return source.with_name(f"{source.stem}-{size}.png")


def record_icons(source: Path, today: date) -> tuple[Recording, dict[int, bytes]]:
    """The recording of an icon, and its PNG files by size."""
    # Playwright refuses to start in a thread that runs an event loop, as a test with pytest-playwright does.
    with ThreadPoolExecutor(1) as thread:
        version, pictures = thread.submit(_draw, source.read_text(encoding="utf-8")).result()
    header: dict[str, object] = {
        "command": f"draw {source.name} at {', '.join(map(str, SIZES))} pixels",
        "kind": "icon",
        "sources": digests([source]),
        "versions": {"chromium": version},
        "date": today.isoformat(),
    }
    lines = [f"{icon_path(source, size).name} sha256 {hashlib.sha256(png).hexdigest()}" for size, png in pictures.items()]
    return Recording(header, "\n".join(lines) + "\n"), pictures


def _draw(svg: str) -> tuple[str, dict[int, bytes]]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=[*LAUNCH_ARGS])
        pictures = {}
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px;height:{size}px}}</style>{svg}")
            pictures[size] = _smaller(page.screenshot())
            page.close()
        return browser.version, pictures


def _smaller(png: bytes) -> bytes:
    """The same in 32 colors: the icon has two, and their blends along the edges."""
    data = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(32, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
    return data.getvalue()
