"""Texts that are cut off or written over each other in a picture are found from their places alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpubites.drawn_text import SMALL, USUAL, Style, misplaced, width_of


def picture(shapes: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100">{shapes}</svg>'


@pytest.mark.parametrize(
    "shapes",
    [
        '<text x="0" y="50">from the left edge</text>',
        '<text class="end" x="400" y="50">to the right edge</text>',
        '<g class="small mid"><text x="20" y="20">10 GB</text><text x="60" y="20">20 GB</text></g>',
        '<text x="12" y="40">one line</text><text x="12" y="56">and the next</text>',
        '<rect x="390" y="0" width="40" height="9"/><text x="12" y="99"> </text>',
    ],
)
def test_what_can_be_read_is_right(shapes: str) -> None:
    assert misplaced(picture(shapes)) == ""


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ('<text class="mid" x="392" y="50">10 GB</text>', "“10 GB” is cut off: it lies 1"),
        ('<g class="small end"><text x="10" y="50">GPUs</text></g>', "“GPUs” is cut off"),
        ('<text x="12" y="99">gap</text>', "“gap” is cut off"),
        ('<text x="12" y="6">Top</text>', "“Top” is cut off"),
        ('<text x="390" y="50" text-anchor="start">far</text>', "“far” is cut off"),
        ('<text y="50"><tspan>one </tspan><tspan>two</tspan></text><text x="9" y="50">six</text>', "“one two” and “six” overlap"),
        ('<g class="small end"><text x="358" y="50">36</text><text x="388" y="52">hours</text></g>', "“36” and “hours” overlap"),
    ],
)
def test_what_cannot_be_read_is_said(shapes: str, said: str) -> None:
    assert said in misplaced(picture(shapes))


def test_bold_and_code_are_wider() -> None:
    assert width_of("illicit", Style(code=True)) > width_of("illicit", Style(bold=True)) > width_of("illicit", Style())


def test_the_sizes_are_those_of_the_stylesheet(root: Path) -> None:
    css = (root / "web/css/lab.css").read_text()
    drawn = css[css.index(".lab-picture svg {") :]
    assert [float(size) for size in re.findall(r"font-size: ([\d.]+)px", drawn)] == [USUAL, SMALL]
    for rule in ("mid {text-anchor: middle", "end {text-anchor: end", "strong {font-weight: 650", "code {font-family"):
        assert f".{rule}" in re.sub(r"\{\s+", "{", drawn), rule
