"""Questions that hang on the rest of the library: values drawn from facts, and outputs taken from recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gpubites.bite import Bite, Question
from gpubites.drawn import draw_variants, fill, first_values
from gpubites.facts import Fact
from gpubites.predicted import recorded_of, with_output
from gpubites.snippet import Snippet
from gpubites.source import Section


def settled(bite: Bite, facts: Mapping[str, Fact], snippets: Mapping[str, Snippet]) -> Bite:
    """The bite with every question complete. The text of its quiz says the first variant; its lines keep their places."""
    if not any(question.given or question.predicts for question in bite.quiz):
        return bite
    quiz = tuple(_settled(question, bite, facts, snippets) for question in bite.quiz)
    sections = tuple(_filled(section, bite.quiz, quiz, facts) if section.id == "quiz" else section for section in bite.source.sections)
    return replace(bite, quiz=quiz, source=replace(bite.source, sections=sections))


def _settled(question: Question, bite: Bite, facts: Mapping[str, Fact], snippets: Mapping[str, Snippet]) -> Question:
    if question.given:
        variants, trouble = draw_variants(question, facts)
        if not variants:
            return replace(question, trouble=trouble)
        first = variants[0]
        return replace(question, text=first.text, numeric=first.numeric, why=first.why, variants=variants, trouble=trouble)
    if question.predicts:
        recorded, trouble = recorded_of(question, bite.slug, snippets)
        return replace(with_output(question, recorded), recorded=recorded, trouble=trouble)
    return question


def _filled(section: Section, raw: tuple[Question, ...], quiz: tuple[Question, ...], facts: Mapping[str, Fact]) -> Section:
    lines = section.body.split("\n")
    ends = [*(question.line for question in raw[1:]), section.body_line + len(lines)]
    for question, complete, end in zip(raw, quiz, ends, strict=True):
        names = first_values(question, facts) if complete.variants else {}
        if complete.recorded:
            names = {"output": f"`{complete.recorded.answer}`"}
        for given in question.given:
            lines[given.line - section.body_line] = ""
        for index in range(question.line - section.body_line, end - section.body_line) if names else ():
            lines[index] = fill(lines[index], names)
    return replace(section, body="\n".join(lines))
