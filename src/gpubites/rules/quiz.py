"""Rules for the quiz."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpubites.bite import QUESTION_KINDS, Bite
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.prose import plain
from gpubites.rules.registry import Finding, bite_rule, library_rule

QUESTIONS = (3, 5)
FEWEST_STEPS = 3
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
TOLERANCE = re.compile(r"\d+(?:\.\d+)?")
DRAWN_TOLERANCE = re.compile(rf"{TOLERANCE.pattern}%?")
NUMERIC_OPTIONS = ("numeric", "tolerance", "unit")
PREDICT_OPTIONS = ("predict", "part", "line", "value", "tolerance", "unit")
OPTIONS = ("numeric", "tolerance", "unit", "kind", "predict", "part", "line", "value")
LEANS_ON_ANOTHER = re.compile(r"(?:the |with the |at the )?same\b|again\b|as (?:above|before)\b", re.IGNORECASE)
STANDS_OUT = 1.5  # times the longest of the others
SHORT = 40  # characters: among answers of a few words, length says nothing
QUESTION_ID = re.compile(r"q-[a-z0-9]+(?:-[a-z0-9]+)*")


@bite_rule("B030")
def quiz_has_three_to_five_questions(bite: Bite, library: Library) -> Iterator[Finding]:
    """A quiz has three to five questions, each a `###` heading."""
    section = bite.part("quiz")
    if section and not QUESTIONS[0] <= len(bite.quiz) <= QUESTIONS[1]:
        form = f"each begins with ### Question? {{#q-{bite.slug}-…}}, then - [x] and - [ ] answers"
        hint = form if len(bite.quiz) < QUESTIONS[0] else "keep those that teach most"
        yield Finding(section.line, f"{len(bite.quiz)} questions, {QUESTIONS[0]} to {QUESTIONS[1]} are right", hint)


@bite_rule("B031")
def question_has_an_id(bite: Bite, library: Library) -> Iterator[Finding]:
    """Every question has an explicit id, `{#q-…}`: review schedules and decks hang on it."""
    for question in bite.quiz:
        if not QUESTION_ID.fullmatch(question.id):
            yield Finding(question.line, "a question ends with its id", f"### … {{#q-{bite.slug}-something-short}}")


@library_rule("B032")
def question_ids_are_unique(library: Library) -> Iterator[Problem]:
    """A question's id stands once in the whole library."""
    taken: dict[str, str] = {}
    for bite in library.bites:
        for question in bite.quiz:
            place = f"{bite.path}:{question.line}"
            if question.id and question.id in taken:
                message = f"`{question.id}` already stands in {taken[question.id]}"
                yield Problem(bite.path, question.line, "B032", message, "review schedules hang on ids: give it one of its own")
            taken.setdefault(question.id, place)


@bite_rule("B033")
def question_can_be_answered(bite: Bite, library: Library) -> Iterator[Finding]:
    """A question has two or more answers of which at least one is right and one wrong, or a number (`numeric="12.5"`).

    With `kind="order"` it has three or more numbered steps in their order; with `kind="flag"` three or more sentences, of which
    `[x]` marks the wrong one.
    """
    for question in bite.quiz:
        right = sum(answer.right for answer in question.answers)
        if question.numeric and question.answers:
            yield Finding(question.line, "a numeric question has no list of answers", "delete the answers, or numeric=…")
        elif question.kind == "order" and not all(answer.right for answer in question.answers):
            yield Finding(question.line, "steps to put in order are not marked right or wrong", "1. the first step, 2. the next one")
        elif question.kind == "order" and len(question.answers) < FEWEST_STEPS:
            yield Finding(question.line, f"{FEWEST_STEPS} steps or more make an order", "1. the first step")
        elif question.kind == "order" or (question.predicts and not question.answers):
            continue
        elif question.kind == "flag" and right != 1:
            yield Finding(question.line, "one sentence is the red flag", "- [x] the sentence that is wrong, - [ ] the others")
        elif question.kind == "flag" and len(question.answers) < FEWEST_STEPS:
            yield Finding(question.line, f"{FEWEST_STEPS} sentences or more make an answer", "- [ ] a sentence that is right")
        elif not question.numeric and len(question.answers) < 2:
            yield Finding(question.line, "a question needs two or more answers", '- [x] right / - [ ] wrong, or numeric="12.5"')
        elif not question.numeric and not right:
            yield Finding(question.line, "no answer is marked right", "- [x] …")
        elif not question.numeric and right == len(question.answers):
            yield Finding(question.line, "every answer is marked right", "- [ ] a tempting wrong one")


@bite_rule("B034")
def every_answer_has_a_reason(bite: Bite, library: Library) -> Iterator[Finding]:
    """Every answer, right or wrong, is followed by an indented `> why`; a question whose answer is typed has one below it."""
    for question in bite.quiz:
        if question.numeric and not question.why:
            yield Finding(question.line, "a numeric question says why", "> 32 lanes x 4 bytes = 128 bytes")
        if question.predicts and not question.answers and not question.why:
            yield Finding(question.line, "a question that predicts an output says why", "> why it prints that")
        for answer in question.answers:
            if not answer.why:
                yield Finding(answer.line, "an answer without a reason", "    > why it is right or wrong")


@bite_rule("B035")
def numeric_question_has_a_number(bite: Bite, library: Library) -> Iterator[Finding]:
    """A numeric question says its number, and how far off still counts: `{#q-id numeric="12.5" tolerance="0.1" unit="%"}`.

    Where values are drawn (B038), the number is a formula, and the tolerance may be a share of it, `1%`.
    """
    hint = '{#q-id numeric="12.5" tolerance="0.1" unit="%"}'
    for question in bite.quiz:
        for name, value in question.options:
            if name not in OPTIONS:
                yield Finding(question.line, f"unknown option `{name}`", did_you_mean(name, OPTIONS) or hint)
            elif question.predicts and name not in PREDICT_OPTIONS:
                yield Finding(question.line, f"`{name}` beside `predict`", "a question has one kind")
            elif not question.predicts and name in PREDICT_OPTIONS and name not in NUMERIC_OPTIONS:
                yield Finding(question.line, f"`{name}` without `predict`", 'predict="file.py" line="how the line begins"')
            elif not question.predicts and not question.numeric and name != "kind":
                yield Finding(question.line, f"`{name}` without `numeric`", hint)
            elif name == "kind" and (question.numeric or value not in QUESTION_KINDS):
                yield Finding(
                    question.line, f"`{value}` is no kind to say", did_you_mean(value, QUESTION_KINDS) or 'kind="order" or kind="flag"'
                )
        if question.numeric and not question.given and not NUMBER.fullmatch(question.numeric.value):
            yield Finding(question.line, f"`{question.numeric.value}` is no number", hint)
        tolerance = question.option("tolerance", "0")
        if not (DRAWN_TOLERANCE if question.given else TOLERANCE).fullmatch(tolerance):
            yield Finding(question.line, f"`{tolerance}` is no tolerance", hint)


@bite_rule("B036")
def quiz_holds_questions_and_answers(bite: Bite, library: Library) -> Iterator[Finding]:
    """A quiz is questions, answers and reasons, in their form; what else stands there would not be shown."""
    section = bite.part("quiz")
    if not section:
        return
    for line, text in enumerate(section.body.split("\n"), start=section.body_line):
        if bite.quiz and line == bite.quiz[0].line:
            break
        if text.strip():
            yield Finding(line, "stands before the first question", "### Question? {#q-…}")
    for question in bite.quiz:
        for line in question.lost:
            yield Finding(line, "neither a question, an answer nor a reason", "- [x] answer, and below it     > why")


@bite_rule("B037")
def predicted_output_is_recorded(bite: Bite, library: Library) -> Iterator[Finding]:
    """A question that asks what a snippet prints takes its answer from the recording: `{#q-id predict="count.py" line="x[2 * i]"}`.

    The snippet is one of the bite, a Python program or a CUDA example that ran on the CPU host. `part` is the code that is shown.
    `line` is how one line of the output begins, and the rest of it is the answer; an output of one line needs none. `value="2"` asks
    for the second number in that rest. Among outputs to choose from, the right one is `- [x] {output}`.
    """
    for question in bite.quiz:
        for wrong in question.trouble if question.predicts and not question.given else ():
            yield Finding(*wrong)


@bite_rule("B038")
def drawn_values_make_a_question(bite: Bite, library: Library) -> Iterator[Finding]:
    """A numeric question may draw its values: a line `: size = 7, 13, 70` names them (numbers, formulas, fact ids, or `8..32 by 8`), and
    `numeric` is a formula over names and facts. A name with one formula follows from those above it.

    `{size}` stands for the value, `{gpu.device}` for the device of a drawn fact, `{answer}` for the result. The question says what is
    drawn, and the reason works out the answer. There are four variants or more, computed at build, and all of their arithmetic is right.
    """
    for question in bite.quiz:
        for wrong in question.trouble if question.given else ():
            yield Finding(*wrong)


@bite_rule("B039")
def question_stands_alone_and_gives_nothing_away(bite: Bite, library: Library) -> Iterator[Finding]:
    """A question is met alone, in reviews and decks: it does not lean on the one before. Its right answer is not the longest by far."""
    for question in bite.quiz:
        if LEANS_ON_ANOTHER.match(plain(question.text)):
            yield Finding(question.line, "leans on what stood before it", "give the numbers again: it is also met alone")
        if question.kind != "one":
            continue
        right = max((len(plain(answer.text)) for answer in question.answers if answer.right), default=0)
        others = max((len(plain(answer.text)) for answer in question.answers if not answer.right), default=0)
        if right >= SHORT and right > STANDS_OUT * others:
            yield Finding(
                question.line,
                f"the right answer has {right} characters, the others {others} at most",
                "shorten it, or say more in the others",
            )
