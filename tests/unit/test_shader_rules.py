"""The passes that a shader announces: what is wrong with them, and where."""

from __future__ import annotations

import pytest

from gpubites.rules.shaders import _wrong_passes

OUTPUT = "layout(location = 1) out uvec4 next;\n"
SEVEN = "// pass: texture 64 x 64, 7 times\n"
# The page refuses the same (tests/js/shader.test.js).
WRONG = {
    "// pass: texture 64 by 64\n// pass: canvas\n" + OUTPUT: (1, "another form"),
    "// pass: canvas, blend, depth\n": (1, "another form"),
    "// pass: canvas\n" + SEVEN + "// pass: canvas\n" + OUTPUT: (2, "come first"),
    SEVEN + SEVEN + "// pass: canvas\n" + OUTPUT: (2, "come first"),
    "// pass: texture 64 x 2048\n// pass: canvas\n" + OUTPUT: (1, "1 to 1024 texels"),
    "// pass: texture 64 x 64, 65 times\n// pass: canvas\n" + OUTPUT: (1, "1 to 64 passes"),
    SEVEN + OUTPUT: (1, "no pass draws onto the canvas"),
    SEVEN + "// pass: canvas\nout uvec4 next;\n": (1, "location = 1"),
    "uniform highp usampler2D u_input;\n": (1, "`u_input` would hold nothing"),
    SEVEN + "// pass: canvas\n// check: mean\n" + OUTPUT: (3, "nothing checks this"),
    "// check: sum\n": (1, "nothing to check"),
}


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_drawn_is_told_with_its_line(text: str) -> None:
    line, words = WRONG[text]
    [(found, message)] = _wrong_passes(text)
    assert found == line
    assert words in message


def test_passes_of_the_right_form_are_fine() -> None:
    uniforms = "uniform highp usampler2D u_input, u_before;\n"
    canvas = "// pass: canvas, depth\n// pass: canvas, depth read, add\n// check: sum\n"
    assert list(_wrong_passes(SEVEN + canvas + uniforms + OUTPUT)) == []
    assert list(_wrong_passes("// pass the color on, check it later\n")) == []
