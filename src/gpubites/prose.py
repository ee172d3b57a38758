"""Prose apart from code: the words a reader reads, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from gpubites.source import code_aware

# A span does not reach over a blank line, so that a lone tick spoils one paragraph, not the page.
INLINE_CODE = re.compile(r"(?<![`\\])(`+)(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
TITLE = r'(?:\s+"[^"]*")?'
LINK = re.compile(
    r"(?<!\!)\[(?P<text>[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]"
    rf"\((?P<target>[^()\s]*(?:\([^()\s]*\))?[^()\s]*){TITLE}\)"
)
IMAGE = re.compile(rf"!\[(?P<alt>[^\]]*)\]\((?P<target>[^()\s]+){TITLE}\)")
FACT_LINK = re.compile(r"\[(?P<text>[^\[\]]+)\]\(fact:(?P<id>[^)\s]*)\)")
# `[text][name]` and `[name]: target`; a footnote's name begins with ^.
REFERENCE_LINK = re.compile(r"^ {0,3}\[(?!\^)(?P<name>[^\]\n]+)\]:\s+<?(?P<target>[^\s>]+)", re.MULTILINE)
BY_REFERENCE = re.compile(r"(?<![\]\w!\\])\[(?P<text>[^\[\]\n]+)\]\[(?P<name>[^\[\]\n]*)\]")
TAG = re.compile(r"</?[a-zA-Z][^>]*>")
MARKERS = re.compile(r"^[ \t]*(?:(?:#+|[-*]|\d+\.|\[[ xX]\])[ \t]+|>[ \t]*)+", re.MULTILINE)
EMPHASIS = re.compile(r"\*\*|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
# Stands for a code span while the prose around it is cleaned: a character that nobody types, and its number.
HELD = re.compile("\ue000(\\d+)\ue001")
WORD = re.compile(r"[^\s]*[A-Za-z0-9][^\s]*")


def blank_code_spans(text: str) -> str:
    """The text with its `code` spans replaced by blanks of the same length, line breaks kept."""
    return INLINE_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def plain(text: str) -> str:
    """What is read aloud: no fences, images, link targets, tags or markers."""
    spans: list[str] = []

    def hold(match: re.Match[str]) -> str:
        # Code is said as it stands: `a<b>` holds no tag and `__syncthreads` no emphasis.
        spans.append(match[2].strip())
        return f"\ue000{len(spans) - 1}\ue001"

    kept = "\n".join(line for _, line, in_code in code_aware(text.replace("\ue000", "").split("\n")) if not in_code)
    kept = INLINE_CODE.sub(hold, kept)
    kept = IMAGE.sub("", kept)
    kept = LINK.sub(lambda match: match["text"], kept)
    kept = TAG.sub("", kept)
    kept = re.sub(r"\{[#.:][^}]*\}", "", kept)
    kept = EMPHASIS.sub("", MARKERS.sub("", kept))
    return HELD.sub(lambda match: spans[int(match[1])], kept).strip()


def word_count(text: str) -> int:
    """Words as they would be spoken: code spans count, markers do not."""
    return len(WORD.findall(plain(text)))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to every stretch of prose; leave fenced blocks and code spans as they are."""
    pieces = []
    for in_code, run in groupby(code_aware(text.split("\n")), key=lambda item: item[2]):
        block = "\n".join(line for _, line, _ in run)
        pieces.append(block if in_code else _outside_spans(block, change))
    return "\n".join(pieces)


def _outside_spans(block: str, change: Callable[[str], str]) -> str:
    # A link whose text holds a code span is one stretch: only spans outside links and pictures are kept apart.
    links = [link.span() for pattern in (LINK, IMAGE) for link in pattern.finditer(block)]
    pieces: list[str] = []
    position = 0
    for span in INLINE_CODE.finditer(block):
        if any(start < span.start() < end for start, end in links):
            continue
        pieces += [change(block[position : span.start()]), span[0]]
        position = span.end()
    return "".join([*pieces, change(block[position:])])


@dataclass(frozen=True)
class Found:
    """A match in prose, and the line of the file on which it begins."""

    line: int
    match: re.Match[str]


def find_in_prose(pattern: re.Pattern[str], text: str, first_line: int) -> Iterator[Found]:
    """Matches outside fenced code and code spans, also across wrapped lines."""
    for start, block in _prose_blocks(text):
        for match in pattern.finditer(block):
            yield Found(first_line + start + block.count("\n", 0, match.start()), match)


# Many rules look at the same text, one after the other.
@lru_cache(maxsize=2048)
def _prose_blocks(text: str) -> tuple[tuple[int, str], ...]:
    """The stretches between fenced code, code spans blanked, each with the index of its first line."""
    found = []
    for in_code, run in groupby(code_aware(text.split("\n")), key=lambda item: item[2]):
        lines = list(run)
        if not in_code:
            found.append((lines[0][0], blank_code_spans("\n".join(line for _, line, _ in lines))))
    return tuple(found)
