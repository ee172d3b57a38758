"""Rules for what would get lost on the way to the page."""

from __future__ import annotations

from collections.abc import Iterator

from gpubites.bite import Bite, lines_before_list
from gpubites.library import Library
from gpubites.rules.registry import Finding, bite_rule
from gpubites.source import code_aware, fenced_blocks

FRAME_STEPS = 3
TIP = "**Tip to quantify.**"


@bite_rule("B040")
def fence_is_closed(bite: Bite, library: Library) -> Iterator[Finding]:
    """A block of code is closed by a fence like the one that opens it; else it swallows the rest of the page."""
    for block in fenced_blocks(bite.source.text.split("\n")):
        if not block.closed:
            yield Finding(block.start + 1, "this fence is not closed", "the same ticks, alone on a line, close it")


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
    """A page has one title, which comes from the front matter: inside a section headings begin with `###`."""
    for section in bite.source.sections:
        for offset, line, in_code in code_aware(section.body.split("\n")):
            if line.startswith("# ") and not in_code:
                yield Finding(section.body_line + offset, "a heading of the first level inside a section", "### …")


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
