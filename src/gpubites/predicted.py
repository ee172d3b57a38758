"""Questions that ask what a snippet prints: the right answer is taken from its recording, so that it can never disagree with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpubites.bite import Question, Recorded
from gpubites.problem import Wrong, did_you_mean
from gpubites.snippet import Snippet

OUTPUT = "{output}"
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
LONGEST_CODE = 40


def recorded_of(question: Question, slug: str, snippets: Mapping[str, Snippet]) -> tuple[Recorded | None, tuple[Wrong, ...]]:
    """What was recorded, or why there is nothing to ask for."""

    def wrong(message: str, hint: str) -> tuple[None, tuple[Wrong, ...]]:
        return None, (Wrong(question.line, message, hint),)

    src, part_name = question.option("predict"), question.option("part")
    snippet = snippets.get(f"snippets/{slug}/{src}")
    if not snippet:
        names = [other.name for other in snippets.values() if other.slug == slug and other.kind in ("python", "cuda")]
        return wrong(f"snippets/{slug}/{src} does not exist", did_you_mean(src, names) or f"one of {', '.join(names) or 'none yet'}")
    part = snippet.part(part_name)
    if not part:
        return wrong(f"{src} has no part `{part_name}`", f"mark it: --8<-- [start:{part_name}]")
    if part.text.count("\n") > LONGEST_CODE:
        return wrong(f"{part.text.count(chr(10))} lines of code, at most {LONGEST_CODE} fit a question", 'show what matters: part="…"')
    output = output_of(snippet)
    if not output.strip():
        return wrong(f"no output of {src} is recorded", f"make record only={slug}")
    lines = output.removesuffix("\n").split("\n")
    begins = _squeezed(question.option("line"))
    places = [place for place, line in enumerate(lines) if _squeezed(line).startswith(begins) and line.strip()]
    if not begins and len(places) != 1:
        return wrong(f"{src} prints {len(places)} lines", 'say how the one that is asked for begins: line="…"')
    if len(places) != 1:
        near = did_you_mean(begins, [_squeezed(line) for line in lines])
        return wrong(f"{len(places)} lines of what {src} prints begin with `{begins}`", near or "the words with which one line begins")
    rest = _squeezed(lines[places[0]])[len(begins) :].strip()
    numbers = NUMBER.findall(rest)
    which = question.option("value")
    if which and not (which.isdecimal() and 1 <= int(which) <= len(numbers)):
        return wrong(f"`{rest}` has no number `{which}`", f"1 to {len(numbers)}: the place of a number in it")
    answer = numbers[int(which) - 1] if which else rest
    if not answer:
        return wrong(f"nothing follows `{begins}` in its line", "name less of the line")
    recorded = Recorded(src, snippet.kind, part.text, output, places[0], answer, bool(which))
    return recorded, tuple(_wrong_choices(question, answer))


def _wrong_choices(question: Question, answer: str) -> Iterator[Wrong]:
    """Of outputs to choose from the right one is taken from the recording, and none of the others is the same."""
    for choice in question.answers:
        if choice.right != (choice.text == OUTPUT):
            yield Wrong(choice.line, "the output that is right is taken from the recording", f"- [x] {OUTPUT}")
        elif not choice.right and _squeezed(choice.text.strip("`")) == answer:
            yield Wrong(choice.line, f"`{answer}` is what was recorded", "an output that somebody might expect, and that is wrong")


def output_of(snippet: Snippet) -> str:
    """What it printed: a CUDA example on the CPU host."""
    if snippet.kind == "cuda":
        return snippet.cuda.host.output if snippet.cuda and snippet.cuda.host else ""
    return snippet.recording.body if snippet.recording and snippet.kind == "python" else ""


def with_output(question: Question, recorded: Recorded | None) -> Question:
    """The answer `{output}` says what was recorded."""
    if not recorded:
        return question
    answers = tuple(replace(answer, text=answer.text.replace(OUTPUT, f"`{recorded.answer}`")) for answer in question.answers)
    return replace(question, answers=answers, why=question.why.replace(OUTPUT, f"`{recorded.answer}`"))


def _squeezed(line: str) -> str:
    return " ".join(line.split())
