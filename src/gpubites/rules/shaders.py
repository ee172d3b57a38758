"""Rules for shaders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gpubites.library import Library
from gpubites.problem import Problem
from gpubites.rules.registry import library_rule

GIVEN = frozenset({"u_resolution", "u_time", "u_image", "u_pass", "u_input", "u_before"})
NUMBER = r"(-?\d+(?:\.\d+)?)"
UNIFORM = re.compile(r"^\s*uniform\s+(?:\w+p\s+)?(?P<type>\w+)\s+(?P<name>\w+)\s*;(?P<rest>.*)$")
# The page reads the same form (web/core/shader.js).
SLIDER = re.compile(rf"^\s*//\s*.+: {NUMBER} to {NUMBER} by {NUMBER}, from {NUMBER}\s*$")
FORM = "uniform float u_pins; // Pins along each side: 3 to 15 by 1, from 9"
IMAGE_FORM = "uniform sampler2D u_image; // Image: test picture, plain.svg"
IMAGES = re.compile(r"^\s*//\s*Image: test picture(?:, [a-z]+\.svg)+\s*$")
PASS_FORM = "// pass: texture 64 x 64, 7 times, then // pass: canvas, depth, blend"
# The page reads the same forms (web/core/shader.js, web/core/shader-reference.js).
PASS = re.compile(r"^\s*// pass: (?:texture (\d+) x (\d+)(?:, (\d+) times)?|canvas(?:, depth(?: read)?)?(?:, blend|, add)?)\s*$")
PASS_LIKE = re.compile(r"^\s*//\s*pass\s*:", re.IGNORECASE)
CHECK_LIKE = re.compile(r"^\s*//\s*check\s*:", re.IGNORECASE)
CHECK = re.compile(r"^\s*// check: (?:sum|product)\s*$")
SECOND_OUTPUT = re.compile(r"^\s*layout\s*\(\s*location\s*=\s*1\s*\)\s*out\s+(?:\w+p\s+)?uvec4\b", re.MULTILINE)
OF_A_TEXTURE = re.compile(r"^\s*uniform\s.*\b(?P<name>u_input|u_before)\b")
LARGEST_TEXTURE, MOST_PASSES = 1024, 64


@library_rule("S030")
def uniform_has_a_slider(library: Library) -> Iterator[Problem]:
    """A uniform that the page does not give says its slider in a comment: name, range, step, start. Images to choose from are there."""
    for snippet in library.snippets.values():
        if snippet.kind != "shader":
            continue
        for path, text in ((snippet.path, snippet.text), (snippet.path.removesuffix(".frag") + ".vert", snippet.vertex or "")):
            for line, wrong in _wrong(text):
                yield Problem(path, line, "S030", wrong, FORM)
            for line, wrong in _wrong_images(text, library.root):
                yield Problem(path, line, "S030", wrong, IMAGE_FORM)


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


def _wrong_images(text: str, root: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        uniform = UNIFORM.match(line)
        if not uniform or uniform["name"] != "u_image" or "image:" not in uniform["rest"].lower():
            continue
        if not IMAGES.match(uniform["rest"]):
            yield number, "the images to choose from have another form"
        for name in re.findall(r"[a-z]+\.svg", uniform["rest"]):
            if not (root / "docs/assets/textures" / name).is_file():
                yield number, f"there is no docs/assets/textures/{name}"


@library_rule("S032")
def passes_can_be_drawn(library: Library) -> Iterator[Problem]:
    """A shader's passes are said in the one form: those into a texture first, then those onto the canvas; what is checked has a name."""
    for snippet in library.snippets.values():
        if snippet.kind == "shader":
            for line, wrong in _wrong_passes(snippet.text):
                yield Problem(snippet.path, line, "S032", wrong, PASS_FORM)


def _wrong_passes(text: str) -> Iterator[tuple[int, str]]:
    lines = list(enumerate(text.split("\n"), start=1))
    passes = [(number, line, PASS.match(line)) for number, line in lines if PASS_LIKE.match(line)]
    first = passes[0][0] if passes else 1
    into_texture = [number for number, _, found in passes if found and found[1]]
    for number, _, found in passes:
        if not found:
            yield number, "a pass of another form"
        elif found[1] and number != first:
            yield number, "the passes into a texture come first, all in one line"
        elif found[1] and not all(1 <= int(side) <= LARGEST_TEXTURE for side in found.group(1, 2)):
            yield number, f"a texture has 1 to {LARGEST_TEXTURE} texels a side"
        elif found[1] and not 1 <= int(found[3] or 1) <= MOST_PASSES:
            yield number, f"1 to {MOST_PASSES} passes go into a texture"
    if into_texture and passes[-1][0] in into_texture:
        yield passes[-1][0], "no pass draws onto the canvas"
    if into_texture and not SECOND_OUTPUT.search(text):
        yield into_texture[0], "a pass into a texture writes to `layout(location = 1) out uvec4`"
    for number, line in lines:
        sampler = OF_A_TEXTURE.match(line)
        if sampler and not into_texture:
            yield number, f"`{sampler['name']}` would hold nothing: no pass draws into a texture"
        if CHECK_LIKE.match(line) and not CHECK.match(line):
            yield number, "nothing checks this: `// check: sum` or `// check: product`"
        elif CHECK_LIKE.match(line) and not into_texture:
            yield number, "nothing to check: no pass draws into a texture"
