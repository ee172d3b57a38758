"""Posters as text and as pixels: what counts as the same picture."""

from __future__ import annotations

import io

from PIL import Image

from gpubites.run.shader import describe, difference

SIZE = (64, 36)


def png(picture: Image.Image) -> bytes:
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def plain(color: tuple[int, int, int]) -> Image.Image:
    return Image.new("RGB", SIZE, color)


def with_box(picture: Image.Image, box: tuple[int, int, int, int], color: tuple[int, int, int]) -> Image.Image:
    changed = picture.copy()
    changed.paste(color, box)
    return changed


def test_a_picture_reads_as_a_grid_from_the_top() -> None:
    text = describe(with_box(plain((0, 0, 0)), (0, 0, 4, 4), (255, 136, 0)))
    size, mean, grid, first, second, *_ = text.splitlines()
    assert (size, grid) == ("size 64 x 36", "grid 16 x 9")
    assert mean == "mean #020100"
    assert first.startswith("f80 000 000")
    assert second.startswith("000 000")


def test_a_rounding_everywhere_is_the_same_picture() -> None:
    assert difference(png(plain((100, 100, 100))), png(plain((103, 97, 100)))) == ""


def test_a_shift_of_one_channel_is_another_picture() -> None:
    assert "100.0% of the pixels" in difference(png(plain((100, 100, 100))), png(plain((100, 100, 112))))


def test_one_odd_pixel_at_an_edge_is_let_through_and_a_few_are_not() -> None:
    picture = plain((100, 100, 100))
    assert difference(png(picture), png(with_box(picture, (5, 5, 7, 7), (255, 255, 255)))) == ""
    assert difference(png(picture), png(with_box(picture, (5, 5, 9, 9), (255, 255, 255)))) != ""


def test_another_size_is_another_picture() -> None:
    assert "sizes differ" in difference(png(plain((0, 0, 0))), png(Image.new("RGB", (32, 18))))
