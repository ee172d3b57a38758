"""A card: a question and its answer as Markdown that stands alone, away from the site's pages, facts and figures."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urldefrag

from gpubites.bite import Bite, Question, one_line, parse_fence
from gpubites.library import Library
from gpubites.prose import IMAGE, LINK, outside_code
from gpubites.source import fenced_blocks

Pile = Literal["Quiz", "Interview"]
Text = Callable[[str], str]
# What marks an assumption or a dated term for our own rules.
SPAN = re.compile(r"</?span\b[^>]*>")
# MkDocs makes a folder of each: `docs/facts.md` is read at `facts/`.
SOURCE_FILE = re.compile(r"(?:/index)?\.(?:md|ipynb)$")


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from, and why it is right or wrong."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Part:
    """A stretch of the answer. `title` is empty where the answer has no other part."""

    title: str
    text: str


@dataclass(frozen=True)
class Card:
    """`id` is for good: a learner's progress hangs on it. `address` leads to the question in its bite, `section` is a name.

    `how` says how to answer, `code` is what the question is about. The answer is the reasons of the `choices`, or the `parts`; all of
    these and the question are Markdown.
    """

    id: str
    pile: Pile
    kind: str
    section: str
    bite: Bite
    question: str
    how: str
    choices: tuple[Choice, ...]
    parts: tuple[Part, ...]
    address: str
    code: str = ""


def cards(library: Library, site: str) -> tuple[Card, ...]:
    """Every card, in the map's order. `site` is the address of the site's root, with its last slash."""
    return tuple(card for bite in library.bites for card in cards_of(bite, library, site))


def cards_of(bite: Bite, library: Library, site: str) -> tuple[Card, ...]:
    """One for each question of the quiz, and one for the bite's own question. A question that no card can ask raises `ValueError`."""

    def text(markdown: str) -> str:
        return standing_alone(markdown, bite, library, site)

    section, page = library.sections.get(bite.section, bite.section), f"{site}{bite.url}"
    quiz = tuple(_quiz_card(question, section, bite, text, page) for question in bite.quiz)
    return (*quiz, _interview_card(section, bite, text, page))


def right_first(choices: tuple[Choice, ...]) -> list[Choice]:
    """As a back shows them; otherwise in the order of the file."""
    return sorted(choices, key=lambda choice: not choice.right)


def _quiz_card(question: Question, section: str, bite: Bite, text: Text, page: str) -> Card:
    how, choices, parts = _asked(question, bite, text)
    return Card(
        id=question.id,
        pile="Quiz",
        kind=question.kind,
        section=section,
        bite=bite,
        question=text(question.text),
        how=how,
        choices=choices,
        parts=parts,
        address=f"{page}#{question.id}",
        code=_code_of(question),
    )


def _asked(question: Question, bite: Bite, text: Text) -> tuple[str, tuple[Choice, ...], tuple[Part, ...]]:
    """How to answer, the choices, and the parts of the answer. A kind of question that comes to the quiz has to be told here."""
    match question.kind:
        case "order":
            mixed = "; ".join(sorted((text(step.text) for step in question.answers), key=str.lower))
            steps = "\n".join(f"{number}. {text(step.text)}: {text(step.why)}" for number, step in enumerate(question.answers, start=1))
            return f"Put in order: {mixed}.", (), (Part("", steps),)
        case "one" | "many" | "flag":
            how = {"many": "Choose all that fit.", "flag": "Which sentence is the red flag, and why?"}.get(question.kind, "Choose one.")
            return how, tuple(Choice(text(answer.text), answer.right, text(answer.why)) for answer in question.answers), ()
        case "predict" if question.recorded and question.answers:
            choices = tuple(Choice(text(answer.text), answer.right, text(answer.why)) for answer in question.answers)
            return f"Predict what {question.recorded.src} prints. Choose one.", choices, ()
        case "predict" if question.recorded:
            recorded, unit = question.recorded, question.option("unit")
            answer = f"**`{recorded.answer}`**{f' {unit}' if unit else ''}. {text(question.why)}\n\n{_fenced(recorded.asked_line, '')}"
            return f"Predict what {recorded.src} prints{f', in {unit}' if unit else ''}.", (), (Part("", answer),)
        case "numeric" if question.numeric:
            value, tolerance, unit = question.numeric.value, question.numeric.tolerance, question.numeric.unit
            off = "" if not tolerance.strip("0.") else f" (± {tolerance})"
            answer = f"**{f'{value} {unit}'.strip()}**{off}. {text(question.why)}"
            return (f"A number, in {unit}." if unit else "A number."), (), (Part("", answer),)
    where = f"{bite.path}:{question.line}"
    raise ValueError(f"{where} `{question.id}` is a question of kind `{question.kind}`, which no card asks yet: say how in {__name__}")


def _code_of(question: Question) -> str:
    return _fenced(question.recorded.shown, question.recorded.kind) if question.recorded else ""


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip(chr(10))}\n```"


def _interview_card(section: str, bite: Bite, text: Text, page: str) -> Card:
    """The question as an interviewer asks it, against the rubric, the model answer, the red flags and the follow-ups."""
    model_answer = bite.part("model-answer")
    points = sum(point.weight for point in bite.rubric)
    parts = (
        Part(f"What it tests, {points} points", "\n".join(f"- ({point.weight}) {text(point.text)}" for point in bite.rubric)),
        Part(model_answer.title, text(model_answer.body).strip()) if model_answer else Part("", ""),
        Part("Red flags", "\n\n".join(f"> {text(flag.said)}\n\n{text(flag.why)}" for flag in bite.red_flags)),
        Part("Follow-ups", "\n\n".join(f"**{text(follow_up.probe)}** {text(follow_up.gist)}" for follow_up in bite.follow_ups)),
    )
    return Card(
        id=f"a-{birth_name(bite)}",
        pile="Interview",
        kind="aloud",
        section=section,
        bite=bite,
        question=text(bite.question),
        how="Say your answer aloud, in two or three minutes. Then count your points.",
        choices=(),
        parts=tuple(part for part in parts if part.text),
        address=f"{page}#model-answer",
    )


def birth_name(bite: Bite) -> str:
    """The slug under which the bite was first published: aliases are old slugs, the oldest first. So a card outlives a new name."""
    return bite.aliases[0] if bite.aliases else bite.slug


def standing_alone(markdown: str, bite: Bite, library: Library, site: str) -> str:
    """Numbers without their facts, links with the site's address, code in place, figures as their words."""

    def change(stretch: str) -> str:
        stretch = IMAGE.sub(lambda image: f"*(Figure: {one_line(image['alt'])})*", SPAN.sub("", stretch))
        return LINK.sub(lambda link: _linked(link, bite, library, site), stretch)

    return outside_code(_with_code(markdown, bite, library), change)


def _with_code(markdown: str, bite: Bite, library: Library) -> str:
    lines = markdown.split("\n")
    for block in reversed(list(fenced_blocks(lines))):
        fence = parse_fence(block.info, block.start + 1)
        snippet = library.snippet_of(bite, fence) if fence else None
        part = snippet.part(fence.part) or snippet.part("") if fence and snippet else None
        if fence and part:
            lines[block.start : block.end + 1] = [f"```{fence.language}", *part.text.removesuffix("\n").split("\n"), "```"]
    return "\n".join(lines)


def _linked(link: re.Match[str], bite: Bite, library: Library, site: str) -> str:
    address = address_of(link["target"], bite, library, site)
    return f"[{link['text']}]({address})" if address else link["text"]


def address_of(target: str, bite: Bite, library: Library, site: str) -> str:
    """Where a link in a bite's file leads; empty for a fact, and for a bite that is not written yet."""
    if re.match(r"[a-z]+:", target):
        return "" if target.startswith("fact:") else target
    path, fragment = urldefrag(target)
    part = f"#{fragment}" if fragment else ""
    file = posixpath.normpath(posixpath.join(posixpath.dirname(bite.path), path)) if path else bite.path
    if file in library.by_path:
        return f"{site}{library.by_path[file].url}{part}"
    if file.startswith("docs/bites/"):
        return ""
    page = SOURCE_FILE.sub("/", file.removeprefix("docs/"))
    return f"{site}{page}{part}"
