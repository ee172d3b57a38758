"""The web app manifest, and the icons that it names."""

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from PIL import Image

from gpubites.export.webmanifest import web_manifest
from gpubites.run.icons import SIZES, icon_path, record_icons
from gpubites.run.recording import parse_recording, recording_path
from gpubites.run.shader import difference

DOCS = Path(__file__).resolve().parents[2] / "docs"
ICON = DOCS / "assets" / "icons" / "app.svg"


def test_the_app_s_identity_is_its_path() -> None:
    manifest = json.loads(web_manifest("GPU Bites", "Bites.", "/gpu-bites/"))
    assert manifest["id"] == "/gpu-bites/"
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")


@pytest.mark.parametrize("icon", json.loads(web_manifest("GPU Bites", "Bites.", "/"))["icons"], ids=lambda icon: icon["src"])
def test_every_icon_is_there_in_its_size(icon: dict[str, str]) -> None:
    file = DOCS / icon["src"]
    assert file.is_file()
    if icon["type"] == "image/png":
        width, height = Image.open(file).size
        assert icon["sizes"] == f"{width}x{height}"


def test_the_icons_are_what_the_drawing_gives() -> None:
    recorded = parse_recording(recording_path(ICON).read_text())
    assert recorded.is_fresh(ICON.parent), "app.svg has changed: make record"
    _, pictures = record_icons(ICON, date(2026, 11, 30))
    for size in SIZES:
        png = icon_path(ICON, size).read_bytes()
        assert f"{icon_path(ICON, size).name} sha256 {hashlib.sha256(png).hexdigest()}" in recorded.body.splitlines()
        assert difference(png, pictures[size]) == ""
