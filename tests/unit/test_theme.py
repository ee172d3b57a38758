"""What the templates and styles have to agree on with other files."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRAWN = re.compile(r" d=[\"']([^\"']+)")


def test_the_mark_in_the_header_is_the_mark_that_was_drawn() -> None:
    drawn = DRAWN.findall((ROOT / "docs/assets/icons/mark.svg").read_text(encoding="utf-8"))
    in_styles = re.search(r"--i-mark: .*", (ROOT / "web/css/icons.css").read_text(encoding="utf-8"))
    assert in_styles and DRAWN.findall(in_styles[0]) == drawn


def test_the_inline_script_is_the_same_on_every_page() -> None:
    script = (ROOT / "theme/partials/theme-script.html").read_text(encoding="utf-8").partition("<script>")[2]
    assert "{{" not in script and "{%" not in script


def test_every_section_of_the_map_has_its_line() -> None:
    sections = re.findall(r"^  (\w+): ", (ROOT / "docs/map.yml").read_text(encoding="utf-8").partition("bites:")[0], re.MULTILINE)
    leads = re.findall(r'^  "(\w+)":', (ROOT / "theme/partials/sections.html").read_text(encoding="utf-8"), re.MULTILINE)
    assert leads == sections
