"""A quiz as forms: fields to answer in, and below them, folded, every answer with its reason."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from gpubites.bite import Answer, Bite, Question
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.copy_link import copy_link
from gpubites.render.holes import Holes
from gpubites.render.prose import ROOT

Prose = Callable[[str], str]


def render_quiz(bite: Bite, library: Library, prose: Prose, holes: Holes) -> str:
    """Every question of the bite as a `<quiz-card>`, which is complete without JavaScript."""
    return "".join(_card(question, number, bite, library, prose, holes) for number, question in enumerate(bite.quiz, start=1))


def _card(question: Question, number: int, bite: Bite, library: Library, prose: Prose, holes: Holes) -> str:
    fields, answers = {"numeric": _number, "order": _steps}.get(question.kind, _choices)(question, prose, holes)
    return (
        holes.around(
            f'<quiz-card id="{escape(question.id)}" data-kind="{question.kind}" data-bite="{escape(bite.slug)}"><fieldset>'
            f'<legend><span class="quiz-number">{number}</span> ',
            prose(question.text),
            f"</legend>{copy_link(question.id, f'question {number}')}",
        )
        + fields
        + holes.block('</fieldset><details class="quiz-answers"><summary>Answers</summary>')
        + answers
        + holes.block(f"{revisit(bite, library)}</details></quiz-card>")
    )


def _number(question: Question, prose: Prose, holes: Holes) -> tuple[str, str]:
    """A field for a number; its value, how far off still counts, and the reason."""
    if not question.numeric:
        return "", ""
    unit = escape(question.numeric.unit)
    field = holes.block(
        f'<label class="choice-number"><span class="visually-hidden">Your answer{f" in {unit}" if unit else ""}</span>'
        f'<input type="text" inputmode="decimal" autocomplete="off" name="{escape(question.id)}"> {unit}</label>'
    )
    right = holes.inline(
        f'<strong><data value="{escape(question.numeric.value)}" data-tolerance="{escape(question.numeric.tolerance)}">'
        f"{escape(question.numeric.value)}</data>{f' {unit}' if unit else ''}</strong>"
    )
    return field, holes.around("<p>", f"{right}. {prose(question.why)}", "</p>")


def _choices(question: Question, prose: Prose, holes: Holes) -> tuple[str, str]:
    """Answers to choose one or several of; all of them with their reasons."""
    choice = "checkbox" if question.kind == "many" else "radio"
    said = {"many": "Choose all that fit.", "flag": "Which sentence is the red flag? Choose it, and say why before you check."}.get(
        question.kind
    )
    several = holes.block(f'<p class="quiz-several">{said}</p>') if said else ""
    choices = [
        holes.around(
            f'<label class="choice"><input type="{choice}" name="{escape(question.id)}" value="{index}"> <span>',
            prose(answer.text),
            "</span></label>",
        )
        for index, answer in enumerate(question.answers)
    ]
    reasons = [
        holes.around(
            f'<li data-right="{str(answer.right).lower()}"><p><strong>{verdict(question, answer)}</strong>: ',
            f"{prose(answer.text)}{holes.inline('</p><p>')}{prose(answer.why)}",
            "</p></li>",
        )
        for answer in question.answers
    ]
    return several + "".join(choices), holes.block("<ol>") + "".join(reasons) + holes.block("</ol>")


def verdict(question: Question, answer: Answer) -> str:
    """The one word before the reason of an answer."""
    if question.kind == "flag":
        return "Red flag" if answer.right else "Fine"
    return "Right" if answer.right else "Wrong"


def _steps(question: Question, prose: Prose, holes: Holes) -> tuple[str, str]:
    """Steps by the alphabet, each with its place in `data-step`, to be moved; then in their order, with why."""
    mixed = sorted(enumerate(question.answers), key=lambda step: plain(step[1].text).lower())
    if [place for place, _ in mixed] == sorted(place for place, _ in mixed):
        mixed.reverse()
    steps = [holes.around(f'<li data-step="{place}"><span>', prose(step.text), "</span></li>") for place, step in mixed]
    reasons = [
        holes.around("<li><p>", f"{prose(step.text)}{holes.inline('</p><p>')}{prose(step.why)}", "</p></li>") for step in question.answers
    ]
    asked = '<p class="quiz-several">Put these in order.</p><ul class="quiz-steps">'
    return holes.block(asked) + "".join(steps) + holes.block("</ul>"), holes.block("<ol>") + "".join(reasons) + holes.block("</ol>")


def revisit(bite: Bite, library: Library) -> str:
    """Where to go from a wrong answer: the first written prerequisite, else the bite's own explainer."""
    slug = next((slug for slug in bite.prereqs if slug in library.by_slug), "")
    link = f'<a href="{ROOT}b/{slug}/">{escape(library.title_of(slug))}</a>' if slug else '<a href="#explainer">the explainer</a>'
    return f'<p class="quiz-revisit">Missed it? Go back to {link}.</p>'
