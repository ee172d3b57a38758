"""Files that are a list of closed mappings: the synonyms, the rules of thumb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import yaml

from gpubites.problem import named
from gpubites.yaml_text import BadYaml, line_of, read_with_nodes

Entry = dict[str, Any]


def sound_entries(
    text: str, what: str, keys: tuple[str, ...], wrong_values: Callable[[Entry], Iterator[str]]
) -> tuple[tuple[tuple[Entry, int], ...], tuple[tuple[int, str], ...]]:
    """The entries of a text with their lines, and what is wrong with it as (line, message). Wrong entries are left out.

    `what` names the entries in messages. `wrong_values` is asked about mappings only; a key may be missing there.
    """
    try:
        entries, node = read_with_nodes(text)
    except BadYaml as error:
        return (), ((error.line + 1, str(error)),)
    if not isinstance(entries, list) or not isinstance(node, yaml.SequenceNode):
        return (), ((1, f"the {what} are a list"),)
    sound: list[tuple[Entry, int]] = []
    wrong: list[tuple[int, str]] = []
    for entry, entry_node in zip(entries, node.value, strict=True):
        line = line_of(entry_node) + 1
        problems = [*_wrong_keys(entry, keys), *(wrong_values(entry) if isinstance(entry, dict) else ())]
        wrong += [(line, message) for message in problems]
        if not problems:
            sound.append((entry, line))
    return tuple(sound), tuple(wrong)


def wrong_texts(entry: Entry, keys: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with the values that are texts."""
    for key in keys:
        if key in entry and not (isinstance(entry[key], str) and entry[key].strip()):
            yield f"`{key}` is a text, not {named(entry[key])}"


def _wrong_keys(entry: object, keys: tuple[str, ...]) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"an entry is a mapping of {', '.join(keys)}, not {named(entry)}"
        return
    yield from (f"unknown key {named(key)}" for key in entry if key not in keys)
    yield from (f"`{key}` is missing" for key in keys if key not in entry)
