"""YAML as a writer expects it: only `true` and `false` are booleans, so that `on:` stays a word. Read by the C loader."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml


class TextLoader(yaml.CSafeLoader):
    """Safe, fast, and with the booleans of YAML 1.2."""


BOOLEAN = "tag:yaml.org,2002:bool"
TextLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != BOOLEAN]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
TextLoader.add_implicit_resolver(BOOLEAN, re.compile(r"^(?:true|false)$"), list("tf"))


TAB = re.compile(r" *\t")
TAB_MESSAGE = "a tab indents this line, where blanks belong"


class BadYaml(ValueError):
    """Why a text is no YAML, in one line; `line` counts from 0."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"not valid YAML: {' '.join(message.split())}")
        self.line = line


def read_yaml(text: str) -> object:
    """The value of a YAML text. Raises `BadYaml`."""
    return read_with_nodes(text)[0]


def read_with_nodes(text: str) -> tuple[object, yaml.Node | None]:
    """The value of a YAML text, and its nodes, which know their lines. Raises `BadYaml`."""
    try:
        loader = TextLoader(text)
        node = loader.get_single_node()
        return (None if node is None else loader.construct_document(node)), node
    except yaml.reader.ReaderError as error:
        raise BadYaml(0, f"it holds the control character #x{error.character:02x}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line if mark else 0
        is_tab = TAB.match(text.split("\n")[line]) if line < text.count("\n") else None
        raise BadYaml(line, TAB_MESSAGE if is_tab else str(getattr(error, "problem", None) or error)) from None
    except ValueError as error:
        # 2026-02-30 looks like a day and is none: PyYAML lets Python's own error through, without a line.
        raise BadYaml(next((line for line, value in _plain_scalars(text) if not _has_value(value)), 0), str(error)) from None


def _plain_scalars(text: str) -> Iterator[tuple[int, str]]:
    for event in yaml.parse(text, Loader=TextLoader):
        if isinstance(event, yaml.ScalarEvent) and not event.style and event.start_mark:
            yield event.start_mark.line, event.value


def _has_value(scalar: str) -> bool:
    try:
        yaml.load(scalar, Loader=TextLoader)
    except yaml.YAMLError:
        return True
    except ValueError:
        return False
    return True


def line_of(node: yaml.Node) -> int:
    """Where a node begins, counted from 0."""
    return int(node.start_mark.line)
