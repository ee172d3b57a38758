"""Rules for shaders."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.library import Library
from gpubites.problem import Problem
from gpubites.rules.registry import library_rule

GIVEN = frozenset({"u_resolution", "u_time", "u_image"})
NUMBER = r"(-?\d+(?:\.\d+)?)"
UNIFORM = re.compile(r"^\s*uniform\s+(?:\w+p\s+)?(?P<type>\w+)\s+(?P<name>\w+)\s*;(?P<rest>.*)$")
# The page reads the same form (web/core/shader.js).
SLIDER = re.compile(rf"^\s*//\s*.+: {NUMBER} to {NUMBER} by {NUMBER}, from {NUMBER}\s*$")
FORM = "uniform float u_pins; // Pins along each side: 3 to 15 by 1, from 9"


@library_rule("S030")
def uniform_has_a_slider(library: Library) -> Iterator[Problem]:
    """A uniform that the page does not give says in a comment what its slider is called, its range, its step and its start."""
    for snippet in library.snippets.values():
        if snippet.kind != "shader":
            continue
        for path, text in ((snippet.path, snippet.text), (snippet.path.removesuffix(".frag") + ".vert", snippet.vertex or "")):
            for line, wrong in _wrong(text):
                yield Problem(path, line, "S030", wrong, FORM)


def _wrong(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        uniform = UNIFORM.match(line)
        if not uniform or uniform["name"] in GIVEN:
            continue
        slider = SLIDER.match(uniform["rest"])
        if uniform["type"] not in ("float", "int") or not uniform["name"].startswith("u_") or not slider:
            yield number, f"`{uniform['name']}` would stay 0: nothing says what its slider is"
        elif slider:
            low, high, step, start = map(float, slider.groups())
            if not low <= start <= high or step <= 0:
                yield number, f"the slider of `{uniform['name']}` does not start within its range"
