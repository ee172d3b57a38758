"""Rules for what would get lost on the way to the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gpubites.bite import ANCHORS, Bite, lines_before_list
from gpubites.library import Library
from gpubites.prose import find_in_prose
from gpubites.rules.registry import Finding, bite_rule
from gpubites.source import FENCE, HEADING, Section, code_aware, fenced_blocks

FRAME_STEPS = 3
TIP = "**Tip to quantify.**"
# Markdown takes `#pragma` at the start of a line for a heading, too, and a line of dashes for an underline.
HIGH_HEADING = re.compile(r"#{1,2}(?!#)")
UNDERLINE = re.compile(r"(?:=+|-+)\s*")
# Ids of the frame around every bite.
FIXED_IDS = ("sources", "parts", "content", "offline")
HTML = re.compile(r"<!--|<[!?]|</?[a-zA-Z][^<>]*>")
HARMLESS_HTML = re.compile(r'<span class="(?:dated|given)">|</span>|</?(?:su[bp]|kbd)>|<br>')
ATTRIBUTES = re.compile(r"\{:?\s*(?:#(?P<id>[^}\s]*)|\.\w)[^}\n]*\}")


@dataclass(frozen=True)
class OpenFence:
    """A fence that somebody forgot to close: its line, the line of the next fence inside it, and the sections in it (line, title)."""

    line: int
    opens_within: int
    swallowed: tuple[tuple[int, str], ...]
    closed: bool


def open_fences(bite: Bite) -> Iterator[OpenFence]:
    """The blocks that are never closed, or closed by a fence that was meant to close another one."""
    lines = bite.source.text.split("\n")
    for block in fenced_blocks(lines):
        opening = FENCE.match(lines[block.start])
        ticks = opening["ticks"] if opening else ""
        inside = range(block.start + 1, block.end + (not block.closed))
        fences = [(index, FENCE.match(lines[index])) for index in inside]
        opens = [index + 1 for index, fence in fences if fence and fence["ticks"].startswith(ticks) and fence["info"].strip()]
        heads = [(index + 1, HEADING.match(lines[index])) for index in inside]
        swallowed = tuple((line, head["title"]) for line, head in heads if head and head["title"] in ANCHORS)
        if not block.closed or opens or swallowed:
            yield OpenFence(block.start + 1, opens[0] if opens else 0, swallowed, block.closed)


@bite_rule("B040")
def fence_is_closed(bite: Bite, library: Library) -> Iterator[Finding]:
    """A block of code is closed by a fence like the one that opens it, before the next one opens; else it swallows what follows."""
    for fence in open_fences(bite):
        if fence.opens_within:
            message = f"this fence is still open where the next one opens, in line {fence.opens_within}"
            yield Finding(fence.line, message, "the same ticks, alone on a line, close it; a longer fence may hold another")
        elif not fence.closed:
            yield Finding(fence.line, "this fence is not closed", "the same ticks, alone on a line, close it")


@bite_rule("B044")
def code_swallows_no_section(bite: Bite, library: Library) -> Iterator[Finding]:
    """No section of the bite stands in a block of code: a fence above it was not closed, and the page would show it as code."""
    for fence in open_fences(bite):
        if fence.swallowed:
            line, _ = fence.swallowed[0]
            titles = ", ".join(f"`{title}`" for _, title in fence.swallowed)
            yield Finding(fence.line, f"the block of code that opens here swallows {titles}", f"close it before line {line}")


@bite_rule("B041")
def lists_hold_everything(bite: Bite, library: Library) -> Iterator[Finding]:
    """ "What it tests", "Red flags" and "Follow-ups" hold their list and nothing before it: it would not be shown."""
    for anchor in ("what-it-tests", "red-flags", "follow-ups"):
        section = bite.part(anchor)
        if not section:
            continue
        for line in lines_before_list(section):
            yield Finding(line, f"`{section.title}` is a list, and this stands before it", "make it an item: - …")


@bite_rule("B042")
def headings_stay_below_their_section(bite: Bite, library: Library) -> Iterator[Finding]:
    """A page has one title, which comes from the front matter: inside a section headings begin with `###`.

    None of them takes the address of a part of the page, as `### Footgun` would.
    """
    for section in bite.source.sections:
        before = ""
        for line, text, in_code in code_aware(section.body.split("\n")):
            number = section.body_line + line
            if in_code:
                text = ""
            elif HIGH_HEADING.match(text):
                yield Finding(number, "a heading of the first or second level inside a section", "### …, or `code` where it is none")
            elif UNDERLINE.fullmatch(text) and before.strip():
                yield Finding(number, "this line makes a heading of the one above", "### …, or a blank line between")
            elif text.startswith("###") and _id_of(text) in _page_ids(bite):
                yield Finding(number, f"this heading takes the address `#{_id_of(text)}` from a part of the page", "other words")
            before = text


def _page_ids(bite: Bite) -> set[str]:
    """The addresses that links to parts of the page lead to."""
    anchors = [anchor for anchor in ANCHORS.values() if bite.part(anchor)]
    return {*anchors, *(f"{anchor}-title" for anchor in anchors), *FIXED_IDS}


def _id_of(heading: str) -> str:
    """What Markdown makes of a heading."""
    return Section(heading.lstrip("#"), 0, "").id


@bite_rule("B043")
def story_coaches_in_steps(bite: Bite, library: Library) -> Iterator[Finding]:
    """The frame of a story is three or more steps (`### 1. …`), and "In the room" gives a **Tip to quantify.**"""
    if bite.kind != "story":
        return
    room, frame = bite.part("explainer"), bite.part("model-answer")
    if room and TIP not in room.body:
        yield Finding(room.line, "no tip to quantify", f"a last paragraph that begins with {TIP}")
    steps = sum(line.startswith("### ") and not in_code for _, line, in_code in code_aware(frame.body.split("\n"))) if frame else 0
    if frame and steps < FRAME_STEPS:
        yield Finding(frame.line, f"{steps} steps, at least {FRAME_STEPS} are needed", "### 1. Name of the step")


@bite_rule("B045")
def prose_is_plain_markdown(bite: Bite, library: Library) -> Iterator[Finding]:
    """Prose holds no HTML, which could swallow the rest of the page or reach out of it, and no attributes but the ids of questions.

    Of HTML only the spans of dated terms and given numbers, `<sup>`, `<sub>`, `<kbd>` and `<br>` are let through.
    """
    for section in bite.source.sections:
        for found in find_in_prose(HTML, section.body, section.body_line):
            if not HARMLESS_HTML.fullmatch(found.match[0]):
                yield Finding(found.line, f"`{found.match[0]}` is HTML", "Markdown, `code`, or &lt; for the sign itself")
        for found in find_in_prose(ATTRIBUTES, section.body, section.body_line):
            if section.title != "Quiz" or found.match["id"] in _page_ids(bite):
                yield Finding(found.line, f"`{found.match[0]}` gives attributes", "only a quiz question has an id, {#q-…}")
