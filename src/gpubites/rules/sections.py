"""Rules for the sections that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.bite import ANCHORS, KINDS, SECTIONS, STORY_TITLES, Bite
from gpubites.library import Library
from gpubites.problem import did_you_mean
from gpubites.prose import find_in_prose, word_count
from gpubites.rules.registry import Finding, bite_rule
from gpubites.rules.structure import open_fences
from gpubites.source import Section

EXPLAINER_WORDS = (110, 170)
MODEL_ANSWER_WORDS = (150, 450)
FRAME_WORDS = (150, 900)
RUBRIC_POINTS = (3, 6)
RED_FLAGS = (1, 3)
FOLLOW_UPS = (3, 5)
TODO = re.compile(r"\bTODO\b")
FOOTGUN_PARTS = ("**Symptom**", "**Cause**", "**Cure**")


def titles_of(kind: str) -> list[str]:
    """The section titles of a kind of bite, in order."""
    return [STORY_TITLES.get(title, title) if kind == "story" else title for title in SECTIONS]


def optional_titles(kind: str) -> set[str]:
    """A story may do without a footgun; any bite may have nothing to try."""
    return {"Try it", "Footgun"} if kind == "story" else {"Try it"}


def kind_by_titles(bite: Bite) -> str:
    """The kind of a bite; where that is no kind (another rule says so), what its titles look like."""
    if bite.kind in KINDS:
        return bite.kind
    return "story" if any(section.title in STORY_TITLES.values() for section in bite.source.sections) else "question"


@bite_rule("B020")
def sections_are_present_and_in_order(bite: Bite, library: Library) -> Iterator[Finding]:
    """The `##` sections are those of the kind of bite, all of them, in the fixed order."""
    if not bite.source.text.strip():
        return
    kind = kind_by_titles(bite)
    titles = titles_of(kind)
    swallowed = {title for block in open_fences(bite) for _, title in block.swallowed}
    order = f"the order is {', '.join(titles)}"
    seen: list[str] = []
    for section in bite.source.sections:
        if section.title not in titles:
            yield Finding(section.line, f"unknown section `{section.title}`", did_you_mean(section.title, titles) or order)
        elif section.title in seen:
            yield Finding(section.line, f"section `{section.title}` stands twice", "make one of both")
        elif seen and titles.index(section.title) < titles.index(seen[-1]):
            yield Finding(section.line, f"section `{section.title}` stands after `{seen[-1]}`", order)
        if section.title in titles:
            seen.append(section.title)
    if not seen and not swallowed:
        yield Finding(1, "no section is there", order)
    for title in titles if seen or swallowed else ():
        if title not in seen and title not in swallowed and title not in optional_titles(kind):
            yield Finding(1, f"section `{title}` is missing", order)
    if bite.source.preamble.strip():
        text = bite.source.preamble
        line = bite.source.preamble_line + text[: len(text) - len(text.lstrip())].count("\n")
        yield Finding(line, "text before the first section", "the title and the question come from the front matter")


def _length(bite: Bite, anchor: str, shortest: int, longest: int) -> Iterator[Finding]:
    section = bite.part(anchor)
    if not section:
        return
    words = word_count(section.body)
    if not shortest <= words <= longest:
        hint = f"add {shortest - words}" if words < shortest else f"cut {words - longest}"
        yield Finding(section.line, f"`{section.title}` has {words} words, {shortest} to {longest} are right", hint)


@bite_rule("B021")
def explainer_takes_sixty_seconds(bite: Bite, library: Library) -> Iterator[Finding]:
    """The explainer has 110 to 170 words: sixty seconds aloud. The same holds for "In the room" of a story."""
    yield from _length(bite, "explainer", *EXPLAINER_WORDS)


@bite_rule("B022")
def model_answer_takes_two_or_three_minutes(bite: Bite, library: Library) -> Iterator[Finding]:
    """The model answer has 150 to 450 words; the frame of a story may take 900, since it is coached step by step."""
    is_story = kind_by_titles(bite) == "story"
    yield from _length(bite, "model-answer", *(FRAME_WORDS if is_story else MODEL_ANSWER_WORDS))


def _count(section: Section | None, number: int, bounds: tuple[int, int], what: str, form: str) -> Iterator[Finding]:
    if section and not bounds[0] <= number <= bounds[1]:
        hint = f"each begins with {form}" if number < bounds[0] else "keep those that teach most"
        yield Finding(section.line, f"{number} {what}, {bounds[0]} to {bounds[1]} are right", hint)


@bite_rule("B023")
def rubric_is_weighted(bite: Bite, library: Library) -> Iterator[Finding]:
    """ "What it tests" is a rubric: three to six items of the form `- (3) names the mechanism`, the weight from 1 to 9."""
    yield from _count(bite.part("what-it-tests"), len(bite.rubric), RUBRIC_POINTS, "rubric points", "`- (3) `, its weight")
    for point in bite.rubric:
        if not point.weight:
            yield Finding(point.line, "a rubric point begins with its weight", "- (3) names the mechanism, not the symptom")


@bite_rule("B024")
def red_flags_say_why(bite: Bite, library: Library) -> Iterator[Finding]:
    """One to three red flags, each a quotation (`- > …`) with an indented paragraph that says why and what to say instead."""
    yield from _count(bite.part("red-flags"), len(bite.red_flags), RED_FLAGS, "red flags", "`- > `, what a candidate says")
    for flag in bite.red_flags:
        if not flag.said:
            yield Finding(flag.line, "a red flag quotes what a candidate says", "- > Coalescing means using shared memory.")
        if not flag.why:
            yield Finding(flag.line, "a red flag says why it is one", "an indented paragraph after the quotation")


@bite_rule("B025")
def footgun_has_its_cure(bite: Bite, library: Library) -> Iterator[Finding]:
    """A footgun names **Symptom**, **Cause** and **Cure**, in these words, and not in code."""
    section = bite.part("footgun")
    if section and any(section.line < fence.line <= section.body_line + section.body.count("\n") for fence in open_fences(bite)):
        return  # what is missing may stand in the code: B040 and B044 say where it is open
    for part in FOOTGUN_PARTS if section else ():
        if section and not any(find_in_prose(re.compile(re.escape(part)), section.body, section.body_line)):
            yield Finding(section.line, f"the footgun does not name its {part}", f"{part}: …")


@bite_rule("B026")
def follow_ups_go_deeper(bite: Bite, library: Library) -> Iterator[Finding]:
    """Three to five follow-ups, each a probe in bold and then the gist of an answer."""
    yield from _count(bite.part("follow-ups"), len(bite.follow_ups), FOLLOW_UPS, "follow-ups", "`- **`, the probe in bold")
    for follow_up in bite.follow_ups:
        if not follow_up.probe:
            yield Finding(follow_up.line, "a follow-up is a probe in bold and its gist", "- **And at batch one?** Then …")


@bite_rule("B027")
def sections_are_not_empty(bite: Bite, library: Library) -> Iterator[Finding]:
    """Every section says something, and what the template put into the file (`TODO`) is replaced."""
    for section in bite.source.sections:
        if section.title in ANCHORS and not section.body.strip():
            yield Finding(section.line, f"section `{section.title}` is empty", "write it, or delete it where it is optional")
    lines = bite.source.text.split("\n")
    starts = [("the front matter", 1), *((f"`{section.title}`", section.line) for section in bite.source.sections)]
    for (where, start), end in zip(starts, [*(start for _, start in starts[1:]), len(lines) + 1], strict=True):
        places = [number for number in range(start, end) if TODO.search(lines[number - 1])]
        if places:
            count = "a TODO" if len(places) == 1 else f"{len(places)} TODOs"
            message = f"{where} still holds {count} of the template (line {', '.join(map(str, places))})"
            yield Finding(places[0], message, "write what it asks for, or delete the line")
