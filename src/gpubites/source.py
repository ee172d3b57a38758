"""A Markdown file as text: front matter with its lines, and `##` sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile

import yaml

from gpubites.yaml_text import BadYaml, line_of, read_with_nodes, repeated_keys

# The info text of a fence of ticks holds no tick: ```` ```x``` ```` on one line is a code span.
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}(?!.*`)|~{3,})(?P<info>.*)$")
EMPTY = "the file is empty"
NO_FRONT = "the file does not open with front matter between two `---` lines"
NOT_CLOSED = "the front matter that opens here is not closed by a line `---`"
MARK = re.compile(r"---[ \t]*")
HEADING = re.compile(r"^## (?P<title>.+?)\s*$")


@dataclass(frozen=True)
class Section:
    """One `## title`, its text, and the file's line on which the text begins."""

    title: str
    line: int
    body: str

    @property
    def id(self) -> str:
        """The fixed anchor: `What it tests` → `what-it-tests`."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    @property
    def body_line(self) -> int:
        return self.line + 1


@dataclass(frozen=True)
class Source:
    """What one file holds, not yet typed.

    `front_error` is (line, message) where the front matter cannot be read; it holds what could be read all the same.
    """

    path: str
    text: str
    front: dict[str, object] = field(default_factory=dict)
    front_lines: dict[str, int] = field(default_factory=dict)
    front_items: dict[str, tuple[int, ...]] = field(default_factory=dict)
    front_error: tuple[int, str] | None = None
    preamble: str = ""
    preamble_line: int = 1
    sections: tuple[Section, ...] = ()

    @property
    def stem(self) -> str:
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")

    @property
    def folder(self) -> str:
        return self.path.split("/")[-2]

    def line_of(self, key: str) -> int:
        """The line of a front-matter key; line 1 where the key is missing."""
        return self.front_lines.get(key, 1)

    def line_of_item(self, key: str, index: int) -> int:
        """The line of an item of a front-matter list; the key's where there is no such item."""
        lines = self.front_items.get(key, ())
        return lines[index] if index < len(lines) else self.line_of(key)

    def section(self, *ids: str) -> Section | None:
        return next((section for section in self.sections if section.id in ids), None)


def read_source(path: str, text: str) -> Source:
    """Split a file. Never raises: what cannot be read is told by `front_error`."""
    lines = text.split("\n")
    front_end, body_start, error = _front_matter_within(lines)
    preamble, sections = _split_sections("\n".join(lines[body_start:]), body_start + 1)
    front = _read_front_matter("".join(f"{line}\n" for line in lines[1:front_end])) if front_end else Front()
    if error:
        # What stands before the first section is most likely front matter that was not closed: one problem is enough.
        preamble, front = "", replace(front, error=(1, error))
    return Source(path, text, front.values, front.lines, front.items, front.error, preamble, body_start + 1, sections)


def _front_matter_within(lines: list[str]) -> tuple[int, int, str]:
    """The indexes at which it ends (0: there is none) and the body begins, and what is wrong. Unclosed, it ends where it seems to."""
    if not any(line.strip() for line in lines):
        return 0, 0, EMPTY
    if not MARK.fullmatch(lines[0]):
        return 0, 0, NO_FRONT
    head = list(takewhile(lambda line: not line.startswith("## "), lines[1:]))
    closing = next((index for index, line in enumerate(head, start=1) if MARK.fullmatch(line)), 0)
    if closing:
        return closing, closing + 1, ""
    end = 1 + len(list(takewhile(str.strip, head)))
    return end, end, NOT_CLOSED


@dataclass(frozen=True)
class Front:
    """Front matter: its values, the line of each key, the lines of the items of each list, and why it cannot be read."""

    values: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    items: dict[str, tuple[int, ...]] = field(default_factory=dict)
    error: tuple[int, str] | None = None


def _read_front_matter(text: str) -> Front:
    # +2: YAML counts from 0, and the opening `---` is line 1.
    try:
        values, node = read_with_nodes(text)
    except BadYaml as error:
        return Front(error=(error.line + 2, str(error)))
    if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
        return Front(error=(2, "the front matter is not a mapping of keys to values"))
    lines: dict[str, int] = {}
    items: dict[str, tuple[int, ...]] = {}
    for key, value in node.value:
        name, line = str(key.value), line_of(key) + 2
        lines.setdefault(name, line)
        if isinstance(value, yaml.SequenceNode):
            items[name] = tuple(line_of(item) + 2 for item in value.value)
    twice = next(((line + 2, f"`{name}` stands twice") for line, name in repeated_keys(node)), None)
    return Front({str(key): value for key, value in values.items()}, lines, items, twice)


def _split_sections(body: str, first_line: int) -> tuple[str, tuple[Section, ...]]:
    lines = body.split("\n")
    # Fences first: a "## " inside code is no heading.
    found = [(index, HEADING.match(line)) for index, line, in_code in code_aware(lines) if not in_code]
    heads = [(index, heading["title"]) for index, heading in found if heading]
    starts = [index for index, _ in heads]
    sections = tuple(
        Section(title, first_line + start, "\n".join(lines[start + 1 : end]))
        for (start, title), end in zip(heads, [*starts[1:], len(lines)], strict=False)
    )
    return "\n".join(lines[: starts[0]] if starts else lines), sections


@dataclass(frozen=True)
class Fenced:
    """A fenced block: the indexes of its first and last line, its info text, how far it is indented, whether it is closed."""

    start: int
    end: int
    info: str
    indent: int
    closed: bool = True


def fenced_blocks(lines: list[str]) -> Iterator[Fenced]:
    """The fenced blocks among `lines`, also those inside list items; an unclosed one runs to the end."""
    start, opening = 0, None
    for index, line in enumerate(lines):
        fence = FENCE.match(line)
        if opening is None and fence:
            start, opening = index, fence
        elif opening is not None and fence and fence["ticks"].startswith(opening["ticks"]) and not fence["info"].strip():
            yield Fenced(start, index, opening["info"].strip(), len(opening["indent"]))
            opening = None
    if opening is not None:
        yield Fenced(start, len(lines) - 1, opening["info"].strip(), len(opening["indent"]), closed=False)


def code_aware(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """Each line with its index and whether it belongs to a fenced block (its fence lines included)."""
    inside = {index for block in fenced_blocks(lines) for index in range(block.start, block.end + 1)}
    for index, line in enumerate(lines):
        yield index, line, index in inside
