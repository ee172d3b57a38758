"""YAML as a writer expects it: only `true` and `false` are booleans, so that `on:` stays a word. Read by the C loader."""

from __future__ import annotations

import re
from collections import Counter
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


def _integer(loader: TextLoader, node: yaml.ScalarNode) -> int:
    """Not one of thousands of digits, which `0xfff…` makes possible: Python refuses to print it."""
    number: int = loader.construct_yaml_int(node)
    if number.bit_length() > LONGEST_INTEGER:
        raise ValueError(f"a whole number of {number.bit_length()} bits")
    return number


LONGEST_INTEGER = 1024  # bits: more than the largest float
TextLoader.add_constructor("tag:yaml.org,2002:int", _integer)


QUOTE = "quote a value that holds a colon or begins with a bracket; close what is opened; indent with blanks"
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
    node: yaml.Node | None = None
    try:
        loader = TextLoader(text)
        node = loader.get_single_node()
        if "*" in text and (again := _second_place(node)):
            raise BadYaml(line_of(again), "an alias stands for something else: write it out")
        return (None if node is None else loader.construct_document(node)), node
    except yaml.reader.ReaderError as error:
        raise BadYaml(0, f"it holds the control character #x{error.character:02x}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line if mark else 0
        is_tab = TAB.match(text.split("\n")[line]) if line < text.count("\n") else None
        raise BadYaml(line, TAB_MESSAGE if is_tab else str(getattr(error, "problem", None) or error)) from None
    except BadYaml:
        raise
    except (ValueError, LookupError, AttributeError, TypeError) as error:
        # 2026-02-30 is no day, `!!bool maybe` neither true nor false: PyYAML lets Python's own error through, without a line.
        said = str(error) if isinstance(error, ValueError) else "this value is not what its tag says"
        raise BadYaml(next((line_of(scalar) for scalar in _nodes(node) if not _has_value(scalar)), 0), said) from None


def repeated_keys(root: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """The line (from 0) and the name of every key that its mapping holds already: YAML would silently take the last one."""
    for node in _nodes(root):
        seen: set[str] = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                yield line_of(key), key.value
            seen.add(str(key.value))


def _nodes(root: yaml.Node | None) -> Iterator[yaml.Node]:
    """A node and all below it, in the order of the text. An alias leads to a node that was seen already, maybe one it stands in."""
    left, seen = [root], set[int]()
    while left:
        node = left.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        left += reversed(_below(node))


def _below(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [each for pair in node.value for each in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _second_place(root: yaml.Node | None) -> yaml.Node | None:
    """A node that stands in two places, as only aliases make it: a few lines of them could mean billions of values."""
    places = Counter(id(below) for node in _nodes(root) for below in _below(node))
    return next((node for node in _nodes(root) if places[id(node)] > 1), None)


def _has_value(scalar: yaml.Node) -> bool:
    if not isinstance(scalar, yaml.ScalarNode):
        return True
    try:
        TextLoader("").construct_object(scalar)
    except yaml.YAMLError:
        return True
    except (ValueError, LookupError, AttributeError, TypeError):
        return False
    return True


def line_of(node: yaml.Node) -> int:
    """Where a node begins, counted from 0."""
    return int(node.start_mark.line)
