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
        ("", 1, "the file is empty"),
        ("\n \n", 1, "the file is empty"),
        ("## Explainer\n", 1, "does not open with front matter"),
        ("---\ntitle: Warps\n", 1, "is not closed"),
        ("---", 1, "is not closed"),
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


@pytest.mark.parametrize("gap", ["\n", "", "\nSome text.\n\n"])
def test_front_matter_that_is_not_closed_is_read_as_far_as_it_looks_like_it(gap: str) -> None:
    read = read_source("docs/bites/hw/warps.md", f"---\ntitle: Warps\nroles: [all]\n{gap}## Explainer\n\ntext\n\n---\n\n## Quiz\n")
    assert read.front_error
    assert "is not closed" in read.front_error[1]
    assert read.front == {"title": "Warps", "roles": ["all"]}
    assert [section.title for section in read.sections] == ["Explainer", "Quiz"]
    assert read.text.split("\n")[read.sections[0].line - 1] == "## Explainer"


def test_blanks_after_the_marks_do_no_harm() -> None:
    assert read_source("docs/bites/hw/warps.md", "--- \ntitle: Warps\n---\t\n\n## Quiz\n").front == {"title": "Warps"}


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
    assert [wrong[:2] for wrong in read.wrong] == [
        (1, "begins with a byte order mark"),
        (2, "byte 0xff is not UTF-8; in Latin-1 it is `ÿ`"),
        (1, "the line ends in CR, not LF"),
    ]
    assert [wrong[:2] for wrong in read_text_file(tmp_path / "none.md").wrong] == [(1, "cannot be read: No such file or directory")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_told_once_and_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("\ufeffone\nzwei ß\n".encode(encoding))
    read = read_text_file(path)
    assert read.text == "one\nzwei ß\n"
    assert [wrong[:2] for wrong in read.wrong] == [(1, "is UTF-16, not UTF-8")]


@pytest.mark.parametrize(
    ("odd", "name"), [("\0", "U+0000, a control"), ("\u202e", "U+202E, right-to-left override"), ("\u200b", "zero width space")]
)
def test_what_no_editor_shows_is_told_with_its_line(tmp_path: Path, odd: str, name: str) -> None:
    (tmp_path / "a.md").write_text(f"one\ntwo {odd} three\n", encoding="utf-8")
    (wrong,) = read_text_file(tmp_path / "a.md").wrong
    assert wrong.line == 2
    assert name in wrong.message


def test_letters_of_every_language_and_emoji_are_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("שלום, 日本語, \N{WOMAN}\u200d\N{PERSONAL COMPUTER}, é, \ta tab\n", encoding="utf-8")
    assert read_text_file(tmp_path / "a.md").wrong == ()


def test_a_giant_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(1 << 30)
    (wrong,) = read_text_file(tmp_path / "a.md").wrong
    assert "1,073,741,824 bytes" in wrong.message


BOMB = "a: &a [x, x]\n" + "".join(f"{two}: &{two} [*{one}, *{one}]\n" for one, two in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(("text", "line"), [("a: &a 1\nb: *a\n", 0), ("a: &a {x: 1}\nb:\n  <<: *a\n", 0), ("a: &a [*a]\n", 0), (BOMB, 0)])
def test_an_alias_is_refused_where_its_anchor_stands(text: str, line: int) -> None:
    with pytest.raises(BadYaml, match="an alias stands for something else") as raised:
        read_yaml(text)
    assert raised.value.line == line


def test_a_star_is_no_alias() -> None:
    assert read_yaml('a: "*a"\nb: 2 * 3 & 4\n') == {"a": "*a", "b": "2 * 3 & 4"}
