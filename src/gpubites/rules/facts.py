"""Rules for quotable numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import date
from html import unescape

from gpubites.arithmetic import equations
from gpubites.bite import SECTIONS, Bite
from gpubites.facts import disagreement
from gpubites.library import Library
from gpubites.problem import Problem, did_you_mean
from gpubites.prose import FACT_LINK, IMAGE, TAG, blank_code_spans, find_in_prose
from gpubites.rules.figures import figure_path
from gpubites.rules.front_matter import is_ahead
from gpubites.rules.registry import Finding, bite_rule, library_rule
from gpubites.source import code_aware
from gpubites.terms import TERMS_PATH

NUMBER = r"(?<![\w.])\d[\d,]*(?:_\d{3})*(?:\.\d+)?"
# What machines do and hold: never typed by hand, however small.
RATES = r"[kMGTP]?B/s|[MGT]bit/s|[MGTP]FLOP/s|[MGTP]FLOPS|[MGTP]FLOPs|TOPS|TOP/s|FLOP/byte|[kMGTP]B|[KMGT]iB|GHz|MHz|k?W"
# Shares and times, where 100% is a word for all.
MEASURES = r"%|ms|us|µs|ns"
# Counted things, where a small integer is a word like another.
COUNTED = r"bytes|bits|SMs|warps|threads|registers|cycles|lanes|banks|tokens|layers|heads|parameters|thousand|million|billion|trillion"
QUOTABLE = re.compile(rf"(?P<number>{NUMBER})[\s-]?(?P<unit>{RATES}|{MEASURES}|{COUNTED})(?![\w/])")
SMALL = 100
GIVEN = re.compile(r'<span class="given">.*?</span>', re.DOTALL)
QUOTED = re.compile(r"^[ \t]*(?:-[ \t]+)?>.*$", re.MULTILINE)
# The words of a picture cannot hold a link; a quoted sentence is a candidate's, not ours.
FIGURE_TEXT = re.compile(r"<text\b(?P<attributes>[^>]*)>(?P<text>.*?)</text>", re.DOTALL)
NOT_OURS = (FACT_LINK, IMAGE, GIVEN, QUOTED)


@library_rule("N001")
def fact_is_closed_and_typed(library: Library) -> Iterator[Problem]:
    """A fact has exactly its keys, a number as its value, and words from closed lists; or a formula over other facts."""
    yield from library.errors_of("N001")


@library_rule("N002")
def fact_ids_are_unique(library: Library) -> Iterator[Problem]:
    """A fact stands once, in one file."""
    seen: dict[str, str] = {}
    for fact in library.all_facts:
        if fact.id and fact.id in seen:
            yield Problem(fact.path, fact.line, "N002", f"`{fact.id}` already stands in {seen[fact.id]}", "keep one, or give it another id")
        seen.setdefault(fact.id, f"{fact.path}:{fact.line}")


@library_rule("N003")
def formula_can_be_computed(library: Library) -> Iterator[Problem]:
    """A derived fact's formula holds numbers, facts and arithmetic, and does not go in a circle."""
    yield from library.errors_of("N003")


@bite_rule("N004")
def fact_link_leads_to_a_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """`[600 GB/s](fact:a100-nvlink-total)` names a fact of facts/*.yml."""
    for found in find_in_prose(FACT_LINK, bite.source.text, 1):
        if found.match["id"] not in library.facts:
            hint = did_you_mean(found.match["id"], library.facts) or "an id of facts/*.yml, or a new entry there"
            yield Finding(found.line, f"`{found.match['id']}` is no fact", hint)


@bite_rule("N005")
def fact_link_says_the_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """The text of a fact link is the fact's number and unit; rounding to the digits shown and SI prefixes are allowed."""
    for found in find_in_prose(FACT_LINK, bite.source.text, 1):
        fact = library.facts.get(found.match["id"])
        wrong = disagreement(found.match["text"], fact) if fact else ""
        if fact and wrong:
            yield Finding(found.line, f"`{found.match['text']}` ({fact.id}): {wrong}", f"[{fact.text}](fact:{fact.id})")


@bite_rule("N006")
def quotable_number_is_a_fact(bite: Bite, library: Library) -> Iterator[Finding]:
    """A number with a unit (`3.35 TB/s`, `80 GB`, `48%`, `16,384 tokens`) has something behind it: it is a link to its fact, or stands in
    the source or the recording of a snippet that the bite shows, or in arithmetic worked in the open (N007).

    Free are integers below a hundred that count things (`32 lanes`), 0% and 100%, code, the words of a candidate in quotation marks,
    and the quiz, whose questions give their own numbers. A number that an example assumes is marked: `<span class="given">40%</span>`.
    """
    shown = _numbers_in_snippets(bite, library)
    for anchor in SECTIONS.values():
        section = bite.part(anchor)
        if not section or anchor == "quiz":
            continue
        ours = _blanked(section.body, *NOT_OURS)
        for found in find_in_prose(QUOTABLE, _without_equations(ours), section.body_line):
            if not _is_free(found.match["number"], found.match["unit"]) and found.match["number"].replace(",", "") not in shown:
                number = " ".join(found.match[0].split())
                yield Finding(found.line, f"`{number}` has no fact behind it", f"[{number}](fact:…), see facts/")


@bite_rule("N007")
def worked_arithmetic_is_right(bite: Bite, library: Library) -> Iterator[Finding]:
    """What is worked in the open comes out: `28 GB / 450 GB/s = 62 ms` is computed, to the digits shown.

    Units may be left out on either side. `= about 62 ms` allows a twentieth.
    """
    text = _prose_of(FACT_LINK.sub(lambda match: match["text"].ljust(len(match[0])), bite.source.text))
    for equation in equations(text):
        if not equation.agrees:
            line = text.count("\n", 0, equation.start) + 1
            yield Finding(
                line,
                f"`{equation.text}`: the left side comes to {equation.value:.6g}",
                "mend the number that is wrong, or show more digits",
            )


@library_rule("N008")
def figure_says_what_its_bite_says(library: Library) -> Iterator[Problem]:
    """A number with a unit in a figure stands in the bite, too, where it has its fact, or in a snippet of the bite.

    The numbers along an axis are free: `<text class="tick">`.
    """
    behind: dict[str, set[str]] = {}
    for bite in library.bites:
        said = _numbers(bite.source.text) | _numbers_in_snippets(bite, library)
        for found in find_in_prose(IMAGE, bite.source.text, 1):
            behind.setdefault(figure_path(bite, found.match["target"]), set()).update(said)
    for path, svg in library.figures.items():
        for text in FIGURE_TEXT.finditer(svg) if path in behind else ():
            words = " ".join(unescape(TAG.sub("", text["text"])).split())
            for number in _unbacked(words, behind[path]) if "tick" not in text["attributes"] else ():
                line = svg.count("\n", 0, text.start()) + 1
                yield Problem(
                    path, line, "N008", f"`{number}` does not stand in the bite", "say it there with its fact, or mend the figure"
                )


@library_rule("N009")
def number_elsewhere_has_something_behind_it(library: Library) -> Iterator[Problem]:
    """What holds for bites holds for the other pages: a number with a unit in a notebook's text stands in its code or its output, and a
    term's definition holds none."""
    for notebook in library.notebooks.values():
        for number in _unbacked(_prose_of(notebook.prose), _numbers(notebook.worked)):
            yield Problem(
                notebook.path, 1, "N009", f"`{number}` stands in no cell's code or output", "let the notebook compute and print it"
            )
    for term in library.terms:
        for number in _unbacked(term.means, frozenset()):
            yield Problem(TERMS_PATH, term.line, "N009", f"`{term.term}`: `{number}` has no fact behind it", "numbers belong into the bite")


@library_rule("N010")
def fact_was_read_by_now(library: Library) -> Iterator[Problem]:
    """The day on which a fact was read at its source is not one still to come."""
    for fact in library.all_facts:
        try:
            ahead = is_ahead(date.fromisoformat(fact.seen), library.today)
        except ValueError:
            continue  # no day at all, which is told as such (N001)
        if ahead:
            yield Problem(
                fact.path, fact.line, "N010", f"`{fact.id}`: {fact.seen} is still to come", "the day on which you read the source"
            )


def _unbacked(words: str, behind: Set[str]) -> Iterator[str]:
    """The quotable numbers of a text that are not among those behind it."""
    for found in QUOTABLE.finditer(words):
        if not _is_free(found["number"], found["unit"]) and found["number"].replace(",", "") not in behind:
            yield " ".join(found[0].split())


def _is_free(number: str, unit: str) -> bool:
    if unit == "%":
        return number in ("0", "100")
    return re.fullmatch(COUNTED, unit) is not None and "." not in number and float(number.replace(",", "")) < SMALL


def _numbers_in_snippets(bite: Bite, library: Library) -> frozenset[str]:
    texts = [
        text
        for snippet in library.snippets_of(bite)
        for text in (snippet.text, snippet.vertex or "", snippet.recording.body if snippet.recording else "")
    ]
    return frozenset().union(*map(_numbers, texts))


def _numbers(text: str) -> frozenset[str]:
    """The numbers that stand by themselves: the 80 of `sm_80` is a name."""
    return frozenset(re.sub(r"[,_]", "", number) for number in re.findall(NUMBER, text))


def _blanked(text: str, *patterns: re.Pattern[str]) -> str:
    """The text with what the patterns match replaced by blanks, so that places stay."""
    for pattern in patterns:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def _without_equations(text: str) -> str:
    for equation in equations(_prose_of(text)):
        text = text[: equation.start] + re.sub(r"[^\n]", " ", text[equation.start : equation.end]) + text[equation.end :]
    return text


def _prose_of(text: str) -> str:
    """The text with code blanked, places kept."""
    lines = (re.sub(r".", " ", line) if in_code else line for _, line, in_code in code_aware(text.split("\n")))
    return blank_code_spans("\n".join(lines))
