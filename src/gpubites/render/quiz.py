"""A quiz as forms: fields to answer in, and below them, folded, every answer with its reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from gpubites.bite import Answer, Bite, Numeric, Question, Recorded, Variant
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.code import LANGUAGES, code_block
from gpubites.render.copy_link import copy_link
from gpubites.render.holes import Holes
from gpubites.render.html import columns
from gpubites.render.prose import ROOT
from gpubites.render.veil import veiled

Prose = Callable[[str], str]


def render_quiz(bite: Bite, library: Library, prose: Prose, holes: Holes) -> str:
    """Every question of the bite as a `<quiz-card>`, which is complete without JavaScript."""
    return "".join(_card(question, number, bite, library, prose, holes) for number, question in enumerate(bite.quiz, start=1))


@dataclass(frozen=True)
class _Form:
    """The fields of a question, its answers with their reasons, and what is right, for the veil."""

    fields: str
    answers: str
    right: object


def _card(question: Question, number: int, bite: Bite, library: Library, prose: Prose, holes: Holes) -> str:
    form = _form(question, prose, holes)
    code, output = _code(question, holes), _output(question, holes)
    return (
        holes.around(
            f'<quiz-card id="{escape(question.id)}" data-kind="{question.kind}" data-bite="{escape(bite.slug)}" '
            f'data-veil="{veiled(form.right, question.id)}"><fieldset>'
            f'<legend><span class="quiz-number">{number}</span> <span class="quiz-asked">',
            prose(question.text),
            f"</span></legend>{copy_link(question.id, f'question {number}')}",
        )
        + code
        + form.fields
        + holes.block('</fieldset><details class="quiz-answers"><summary>Answers</summary>')
        + form.answers
        + output
        + holes.block(f"{revisit(bite, library)}</details>")
        + "".join(_variant(variant, prose, holes) for variant in question.variants)
        + holes.block("</quiz-card>")
    )


def _form(question: Question, prose: Prose, holes: Holes) -> _Form:
    if question.numeric:
        return _number(question, question.numeric, prose, holes)
    if question.kind == "order":
        return _steps(question, prose, holes)
    if question.recorded and not question.answers:
        return _typed_output(question, question.recorded, prose, holes)
    return _choices(question, prose, holes)


def _number(question: Question, numeric: Numeric, prose: Prose, holes: Holes) -> _Form:
    """A field for a number; its value and the reason. Right is a value and how far off still counts, of each variant."""
    right = [[variant.numeric.value, variant.numeric.tolerance] for variant in question.variants] or [[numeric.value, numeric.tolerance]]
    reason = holes.around("<p>", f"{_value(numeric, holes)}. {prose(question.why)}", "</p>")
    return _Form(_field(question.id, numeric.unit, holes), reason, right)


def _value(numeric: Numeric, holes: Holes) -> str:
    return holes.inline(f"<strong>{escape(f'{numeric.value} {numeric.unit}'.strip())}</strong>")


def _field(name: str, unit: str, holes: Holes, mode: str = "decimal") -> str:
    return holes.block(
        f'<label class="choice-number"><span class="visually-hidden">Your answer{escape(f" in {unit}") if unit else ""}</span>'
        f'<input type="text" inputmode="{mode}" autocomplete="off" autocapitalize="off" spellcheck="false" name="{escape(name)}"> '
        f"{escape(unit)}</label>"
    )


def _variant(variant: Variant, prose: Prose, holes: Holes) -> str:
    """The question and its reason with other values. The page shows one of them; without JavaScript the first stands in the form."""
    asked = holes.around('<div class="quiz-variant" hidden><p>', prose(variant.text), "</p>")
    return asked + holes.around("<p>", f"{_value(variant.numeric, holes)}. {prose(variant.why)}", "</p></div>")


def _typed_output(question: Question, recorded: Recorded, prose: Prose, holes: Holes) -> _Form:
    """A field for what is printed; then that, and why."""
    unit = question.option("unit")
    field = _field(question.id, unit, holes, "decimal" if recorded.is_number else "text")
    right = holes.inline(f"<code>{escape(recorded.answer)}</code>{f' {escape(unit)}' if unit else ''}")
    reason = holes.around("<p>", f"{right}. {prose(question.why)}", "</p>")
    return _Form(field, reason, [[recorded.answer, question.option("tolerance", "0")]])


def _code(question: Question, holes: Holes) -> str:
    """What is run, for the question is also met away from its bite."""
    if not question.recorded:
        return ""
    recorded = question.recorded
    code = code_block(recorded.shown, LANGUAGES[recorded.kind], f"From {recorded.src}")
    return holes.block(f'<div class="quiz-code highlight">{code}</div>')


def _output(question: Question, holes: Holes) -> str:
    """The whole of what was recorded, the line marked that is asked for."""
    if not question.recorded:
        return ""
    recorded = question.recorded
    lines = [escape(line) for line in recorded.output.removesuffix("\n").split("\n")]
    lines[recorded.line] = f"<mark>{lines[recorded.line]}</mark>"
    where = "on the CPU host" if recorded.kind == "cuda" else "as recorded"
    return holes.block(
        f'<figure class="quiz-output"><figcaption>What {escape(recorded.src)} printed, {where}</figcaption>'
        f'<pre tabindex="0" style="--columns: {columns(recorded.output)}">{chr(10).join(lines)}</pre></figure>'
    )


def _choices(question: Question, prose: Prose, holes: Holes) -> _Form:
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
            f"<li><p><strong>{verdict(question, answer)}</strong>: ",
            f"{prose(answer.text)}{holes.inline('</p><p>')} {prose(answer.why)}",
            "</p></li>",
        )
        for answer in question.answers
    ]
    right = [int(answer.right) for answer in question.answers]
    return _Form(several + "".join(choices), holes.block("<ol>") + "".join(reasons) + holes.block("</ol>"), right)


def verdict(question: Question, answer: Answer) -> str:
    """The one word before the reason of an answer."""
    if question.kind == "flag":
        return "Red flag" if answer.right else "Fine"
    return "Right" if answer.right else "Wrong"


def _steps(question: Question, prose: Prose, holes: Holes) -> _Form:
    """Steps by the alphabet, to be moved; then in their order, with why. Right is the place of each step as they stand."""
    mixed = sorted(enumerate(question.answers), key=lambda step: plain(step[1].text).lower())
    if [place for place, _ in mixed] == sorted(place for place, _ in mixed):
        mixed.reverse()
    steps = [holes.around(f'<li data-shown="{shown}"><span>', prose(step.text), "</span></li>") for shown, (_, step) in enumerate(mixed)]
    reasons = [
        holes.around("<li><p>", f"{prose(step.text)}{holes.inline('</p><p>')} {prose(step.why)}", "</p></li>") for step in question.answers
    ]
    asked = '<p class="quiz-several">Put these in order.</p><ul class="quiz-steps">'
    fields = holes.block(asked) + "".join(steps) + holes.block("</ul>")
    return _Form(fields, holes.block("<ol>") + "".join(reasons) + holes.block("</ol>"), [place for place, _ in mixed])


def revisit(bite: Bite, library: Library) -> str:
    """Where to go from a wrong answer: the first written prerequisite, else the bite's own explainer."""
    slug = next((slug for slug in bite.prereqs if slug in library.by_slug), "")
    link = f'<a href="{ROOT}b/{slug}/">{escape(library.title_of(slug))}</a>' if slug else '<a href="#explainer">the explainer</a>'
    return f'<p class="quiz-revisit">Missed it? Go back to {link}.</p>'
