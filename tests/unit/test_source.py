"""A file as text: front matter with its lines, sections, fences."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpubites.source import Source, fenced_blocks, read_source
from gpubites.text_file import read_text_file
from gpubites.yaml_text import BadYaml, read_yaml

FRONT = "---\ntitle: Warps\nroles: [all]\nprereqs:\n  - a\n\n  - b\n---\n"


def source(body: str, front: str = FRONT) -> Source:
    return read_source("docs/bites/hw/warps.md", front + body)


def titles(body: str) -> list[str]:
    return [section.title for section in source(body).sections]


def test_front_matter_knows_the_lines_of_keys_and_items() -> None:
    read = source("")
    assert read.front == {"title": "Warps", "roles": ["all"], "prereqs": ["a", "b"]}
    assert (read.line_of("title"), read.line_of("prereqs"), read.line_of("level")) == (2, 4, 1)
    assert (read.line_of_item("prereqs", 0), read.line_of_item("prereqs", 1), read.line_of_item("prereqs", 2)) == (5, 7, 4)
    assert read.front_error is None


def test_a_section_knows_its_line_and_text() -> None:
    (section,) = source("\n## What it tests\n\n- (3) one\n").sections
    assert (section.title, section.id, section.line, section.body_line) == ("What it tests", "what-it-tests", 10, 11)
    assert section.body == "\n- (3) one\n"


def test_lines_of_sections_are_those_of_the_file() -> None:
    read = source("\n## One\n\ntext\n\n```\n## no\n```\n\n## Two\nlast\n")
    lines = read.text.split("\n")
    for section in read.sections:
        assert lines[section.line - 1] == f"## {section.title}"
        body = section.body.split("\n")
        assert lines[section.body_line - 1 : section.body_line - 1 + len(body)] == body


def test_a_heading_inside_a_fence_is_code() -> None:
    assert titles("## One\n```\n## Two\n```\n## Three\n") == ["One", "Three"]


def test_a_fence_of_four_ticks_holds_one_of_three() -> None:
    assert titles("## One\n````\n```\n## Two\n```\n## Three\n````\n## Four\n") == ["One", "Four"]


def test_a_tilde_does_not_close_ticks() -> None:
    assert titles("## One\n```\n~~~\n## Two\n~~~\n```\n## Three\n") == ["One", "Three"]


def test_an_info_text_does_not_close_a_fence() -> None:
    assert titles("## One\n```\n```python\n## Two\n```\n## Three\n") == ["One", "Three"]


def test_ticks_around_words_on_one_line_are_no_fence() -> None:
    assert titles("## One\n``` like this ```\n## Two\n") == ["One", "Two"]


def test_a_fence_in_a_list_item_is_code() -> None:
    assert titles("## One\n- item\n\n    ```\n## Two\n    ```\n## Three\n") == ["One", "Three"]


def test_an_unclosed_fence_runs_to_the_end_and_says_so() -> None:
    (block,) = fenced_blocks(["text", "```python", "x = 1", "## no"])
    assert (block.start, block.end, block.info, block.closed) == (1, 3, "python", False)


def test_headings_of_other_levels_are_text() -> None:
    assert titles("# Title\n## One\n### Two\n##Three\n") == ["One"]
    assert source("# Title\n## One\n").preamble == "# Title"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "does not open with front matter"),
        ("## Explainer\n", 1, "does not open with front matter"),
        ("---\ntitle: Warps\n", 1, "does not open with front matter"),
        ("---\n---\n", 2, "not a mapping"),
        ("---\n- a\n- b\n---\n", 2, "not a mapping"),
        ("---\ntitle: a\nlevel: b\ntitle: c\n---\n", 4, "`title` stands twice"),
        ("---\ntitle: a\nquestion: why: not\n---\n", 3, "mapping values are not allowed"),
        ("---\ntitle: a\nroles: [a, b\n---\n", 4, "not valid YAML"),
        ("---\ntitle: a\non: 2026-02-30\n---\n", 3, "day is out of range"),
    ],
)
def test_front_matter_that_cannot_be_read_is_told_with_its_line(text: str, line: int, message: str) -> None:
    error = read_source("docs/bites/hw/warps.md", text).front_error
    assert error
    assert error[0] == line
    assert message in error[1]


def test_sections_are_found_below_broken_front_matter() -> None:
    read = read_source("docs/bites/hw/warps.md", "---\ntitle: [\n---\n\n## Explainer\n\ntext\n")
    assert [(section.title, section.line) for section in read.sections] == [("Explainer", 5)]


def test_only_true_and_false_are_booleans() -> None:
    assert read_yaml("{on: on, yes: no, is: true}") == {"on": "on", "yes": "no", "is": True}


@pytest.mark.parametrize("text", ["a: [", "\ta: b", "a: *b", "a: !!python/name:os.system", "- " * 2000, "a: \x07", "a: 2026-13-01"])
def test_what_is_no_yaml_is_told_in_one_line(text: str) -> None:
    with pytest.raises(BadYaml) as raised:
        read_yaml(text)
    assert "\n" not in str(raised.value)


def test_a_text_file_is_read_as_far_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo \xff\r\nthree")
    read = read_text_file(path)
    assert read.text == "one\ntwo �\nthree"
    assert read.wrong == (
        (1, "begins with a byte order mark"),
        (2, "byte 0xff is not UTF-8"),
        (1, "the line ends in CR, not LF"),
    )
    assert read_text_file(tmp_path / "none.md").wrong == ((1, "cannot be read: No such file or directory"),)
