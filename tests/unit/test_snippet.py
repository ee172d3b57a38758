"""Snippets: named parts of a file, and whether the recording belongs to it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpubites.library import Library, load_library
from gpubites.snippet import MARK, Snippet

TEXTS = {
    "one part in the middle": "a\nb\n# --8<-- [start:mid]\nc\n\n  d\n# --8<-- [end:mid]\ne\n",
    "a part at the very start": "# --8<-- [start:mid]\na\n# --8<-- [end:mid]\nb\n",
    "a part at the very end, no final line end": "a\n# --8<-- [start:mid]\nb\n# --8<-- [end:mid]",
    "the whole file": "# --8<-- [start:mid]\na\nb\n# --8<-- [end:mid]\n",
    "an empty part": "a\n# --8<-- [start:mid]\n# --8<-- [end:mid]\nb\n",
    "parts in a part": "# --8<-- [start:out]\na\n# --8<-- [start:mid]\nb\n# --8<-- [end:mid]\nc\n# --8<-- [end:out]\nd\n",
    "an indented mark": "def f():\n    # --8<-- [start:mid]\n    return 1\n    # --8<-- [end:mid]\n",
    "slashes": "a\n// --8<-- [start:mid]\nb\n// --8<-- [end:mid]\nc\n",
    "odd line breaks": "a = '\x0c\u2028'\n# --8<-- [start:mid]\nb\x0b\n# --8<-- [end:mid]\nc\x1c\n",
    "blank lines": "\n\n# --8<-- [start:mid]\n\n\n# --8<-- [end:mid]\n\n\n",
}


def snippet(text: str) -> Snippet:
    return Snippet("x", "snippets/x/a.py", "python", text, None, None, "", False, None)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_before_part_and_after_are_the_file_as_a_reader_sees_it(text: str) -> None:
    part = snippet(text).part("mid")
    assert part
    assert part.before + part.text + part.after == snippet(text).clean_text
    # Python and the browser count lines by line feeds alone.
    lines = snippet(text).clean_text.split("\n")
    wanted = part.text.removesuffix("\n").split("\n") if part.text else []
    assert lines[part.first_line - 1 :][: len(wanted)] == wanted


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_no_mark_is_shown(text: str) -> None:
    assert "--8<--" not in snippet(text).clean_text
    kept = [line for line in text.split("\n") if not MARK.match(line)]
    assert snippet(text).clean_text.rstrip("\n") == "\n".join(kept).rstrip("\n")


@pytest.mark.parametrize(
    "text",
    [
        "a\n",
        "# --8<-- [start:mid]\na\n",
        "a\n# --8<-- [end:mid]\n",
        "# --8<-- [end:mid]\na\n# --8<-- [start:mid]\n",
        "# --8<-- [start:other]\na\n# --8<-- [end:other]\n",
    ],
)
def test_a_part_that_is_not_there_is_none(text: str) -> None:
    assert snippet(text).part("mid") is None


def test_the_whole_file_is_a_part_without_a_name() -> None:
    part = snippet("a\n# --8<-- [start:mid]\nb\n# --8<-- [end:mid]\n").part("")
    assert part
    assert (part.before, part.text, part.after, part.first_line) == ("", "a\nb\n", "", 1)


def test_every_part_of_the_library_fits_into_its_file(library: Library) -> None:
    for bite in library.bites:
        for fence in bite.fences:
            shown = library.snippet_of(bite, fence)
            assert shown
            part = shown.part(fence.part)
            assert part, f"{fence.src} {fence.part}"
            assert part.before + part.text + part.after == shown.clean_text
            assert part.first_line == part.before.count("\n") + 1


@pytest.fixture
def project(good: Library, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good.root, tmp_path / "project"))


FOLDER = "snippets/coalescing"


def freshness(project: Path) -> dict[str, bool]:
    return {snippet.name: snippet.fresh for snippet in load_library(project).snippets.values()}


def test_recordings_are_fresh_until_something_changes(project: Path) -> None:
    names = ("count_sectors.py", "idle_lab.py", "one_sum.wgsl", "strided_copy.cu", "stripes.frag")
    assert freshness(project) == dict.fromkeys(names, True)


def test_a_changed_byte_makes_a_recording_stale(project: Path) -> None:
    path = project / FOLDER / "count_sectors.py"
    path.write_bytes(path.read_bytes() + b"\n")
    assert freshness(project)["count_sectors.py"] is False


def test_a_vertex_shader_that_came_later_makes_a_recording_stale(project: Path) -> None:
    (project / FOLDER / "stripes.vert").write_text("#version 300 es\nvoid main() { gl_Position = vec4(0.0); }\n")
    assert freshness(project)["stripes.frag"] is False


def test_another_picture_makes_a_recording_stale(project: Path) -> None:
    path = project / FOLDER / "stripes.recording.webp"
    path.write_bytes(path.read_bytes() + b"\0")
    assert freshness(project)["stripes.frag"] is False


def test_a_recording_that_names_no_source_is_stale(project: Path) -> None:
    path = project / FOLDER / "count_sectors.recording.txt"
    path.write_text(path.read_text().replace("sources:\n  count_sectors.py:", "sources:\n  other.py:"))
    assert freshness(project)["count_sectors.py"] is False


def test_an_unreadable_recording_says_why(project: Path) -> None:
    path = project / FOLDER / "count_sectors.recording.txt"
    for text, reason in [("", "opens with front matter"), ("---\n[\n---\n", "not valid YAML"), ("---\n- a\n---\n", "is a mapping")]:
        path.write_text(text)
        read = load_library(project).snippets[f"{FOLDER}/count_sectors.py"]
        assert read.recording is None
        assert reason in read.recording_error


def test_a_snippet_knows_its_names(good: Library) -> None:
    read = good.snippets[f"{FOLDER}/stripes.frag"]
    assert (read.name, read.stem, read.slug, read.kind, read.runs_in_page) == ("stripes.frag", "stripes", "coalescing", "shader", True)
    assert not replace(read, kind="cuda").runs_in_page
