"""A shape that leaves the picture is found, whatever it is made of."""

from __future__ import annotations

import pytest

from gpubites.drawn_shapes import clipped


def picture(shapes: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200">{shapes}</svg>'


@pytest.mark.parametrize(
    "shapes",
    [
        '<rect x="0" y="0" width="400" height="200"/>',
        '<circle cx="6" cy="6" r="6"/>',
        '<path d="M18 18V186H392"/>',
        '<path d="M10 10h50v50zl5 5"/>',
        '<path d="M10 10 60 10 60 60z m-5 -5"/>',
        '<path d="M50 190a40 40 0 0 1 -40 -40"/>',
        '<g transform="translate(-20, 0)"><rect x="20" width="5" height="5"/></g>',
        '<g transform="rotate(90)"><rect x="-20" width="5" height="5"/></g>',
        '<text x="-50" y="10">texts are looked at elsewhere</text>',
    ],
)
def test_what_lies_within_is_whole(shapes: str) -> None:
    assert clipped(picture(shapes)) == ""


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ('<rect x="196" y="144" width="752" height="20"/>', "a <rect> is cut off: it goes 548 beyond the edge of 400 x 200"),
        ('<circle cx="375" cy="-80" r="6"/>', "a <circle> is cut off: it goes 86"),
        ('<line x1="0" y1="0" x2="0" y2="210"/>', "a <line> is cut off: it goes 10"),
        ('<polyline points="0,0 10,-7"/>', "a <polyline> is cut off: it goes 7"),
        ('<path d="M18 18V286H392"/>', "goes 86"),
        ('<path d="M390 10h5v5zm0 0h20"/>', "goes 10"),
        ('<path d="M390 10 5 5l-8 0z"/>', "goes 3"),
        ('<path d="M390 10c1 1 2 2 30 3"/>', "goes 20"),
        ('<g transform="translate(20 0)"><rect x="390" width="5" height="5"/></g>', "goes 15"),
    ],
)
def test_what_leaves_the_picture_is_told(shapes: str, said: str) -> None:
    assert said in clipped(picture(shapes))
