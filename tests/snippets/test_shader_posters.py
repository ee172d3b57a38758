"""Every shader still draws its poster: pixels are compared, within a tolerance for another browser's rounding."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from gpubites.library import Library
from gpubites.run.record import vertices_of
from gpubites.run.recording import Recording, parse_recording, recording_path
from gpubites.run.shader import ShaderError, Studio, difference, poster_path, record_shader

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "snippets").glob("*/*.frag"))
TODAY = date(2026, 11, 30)

WAVES = """\
#version 300 es
precision highp float;
uniform vec2 u_resolution;
uniform float u_time;
in vec2 v_uv;
out vec4 color;
void main() {
  float wave = 0.5 + 0.5 * sin(20.0 * v_uv.x + u_time);
  color = vec4(wave, v_uv, 1.0);
}
"""


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    with Studio() as opened:
        yield opened


def drawn(folder: Path, studio: Studio, fragment: str, vertex: str = "", vertices: int = 3) -> tuple[Recording, bytes]:
    (folder / "waves.frag").write_text(fragment)
    if vertex:
        (folder / "waves.vert").write_text(vertex)
    return record_shader(folder / "waves.frag", vertices, TODAY, studio)


def grid(recording: Recording) -> list[list[str]]:
    """The rows of the recorded picture, from the top."""
    return [line.split() for line in recording.body.splitlines()[3:]]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_shader_draws_its_recorded_poster(source: Path, studio: Studio, library: Library) -> None:
    assert recording_path(source).is_file(), f"{source} is not recorded: make record"
    recorded = parse_recording(recording_path(source).read_text())
    poster = poster_path(source).read_bytes()
    assert hashlib.sha256(poster).hexdigest() == recorded.header["image-sha256"], "the poster belongs to another recording"

    vertices = vertices_of(library.snippets[source.relative_to(ROOT).as_posix()], library)
    assert recorded.header["vertices"] == vertices, "the page draws it with other vertices than the poster: make record again=1"
    _, fresh = record_shader(source, vertices, TODAY, studio)
    assert difference(poster, fresh) == ""


def test_drawing_twice_gives_the_same_bytes(tmp_path: Path, studio: Studio) -> None:
    assert drawn(tmp_path, studio, WAVES) == drawn(tmp_path, studio, WAVES)


def test_an_altered_shader_no_longer_matches_its_poster(tmp_path: Path, studio: Studio) -> None:
    recorded, poster = drawn(tmp_path, studio, WAVES)
    altered, other = drawn(tmp_path, studio, WAVES.replace("20.0", "20.2"))
    assert "of the pixels" in difference(poster, other)
    assert altered.sources != recorded.sources
    assert altered.body != recorded.body, "the text diff shows it too"


def test_the_first_row_of_a_poster_is_the_top(tmp_path: Path, studio: Studio) -> None:
    rows = grid(drawn(tmp_path, studio, WAVES.replace("vec4(wave, v_uv, 1.0)", "vec4(0.0, v_uv, 1.0)"))[0])
    assert rows[0][0] == "00e", "v is near 1 at the top left"
    assert rows[8][15] == "0f1", "u is near 1 at the bottom right"


def test_a_vertex_file_is_drawn_with_its_own_vertices(tmp_path: Path, studio: Studio) -> None:
    left_half = """\
#version 300 es
out vec2 v_uv;
void main() {
  v_uv = vec2(gl_VertexID == 1 || gl_VertexID == 3 || gl_VertexID == 4, gl_VertexID == 2 || gl_VertexID > 3);
  gl_Position = vec4(v_uv.x - 1.0, 2.0 * v_uv.y - 1.0, 0.0, 1.0);
}
"""
    recording, _ = drawn(tmp_path, studio, WAVES, left_half, vertices=6)
    top = grid(recording)[0]
    assert len(set(top[8:])) == 1, "the right half stays the background"
    assert len(set(top[:8])) > 1
    assert set(recording.sources) == {"waves.frag", "waves.vert"}


def test_a_broken_shader_says_stage_and_line(tmp_path: Path, studio: Studio) -> None:
    with pytest.raises(ShaderError, match="Fragment shader, line 8: 'v_vu': undeclared identifier"):
        drawn(tmp_path, studio, WAVES.replace("v_uv.x", "v_vu.x"))
