"""A bite: one idea, typed from its source. Reading never fails; rules say what is missing (`gpubites.rules`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from gpubites.problem import Wrong
from gpubites.prose import plain, word_count
from gpubites.source import FENCE, Section, Source, code_aware, fenced_blocks

KINDS = ("question", "explainer", "story")
LEVELS = ("beginner", "intermediate", "advanced")
ROLES = ("all", "kernel", "training", "inference", "infra", "graphics", "edge")
FRONT_KEYS = (
    "title", "question", "kind", "level", "section", "roles", "prereqs", "aliases", "keywords", "sources", "checked",
)  # fmt: skip
# Title in the file → fixed anchor on the page. A story's own titles keep the anchors of what they stand for.
SECTIONS = {
    "Explainer": "explainer",
    "Model answer": "model-answer",
    "What it tests": "what-it-tests",
    "Red flags": "red-flags",
    "Footgun": "footgun",
    "Try it": "try-it",
    "Follow-ups": "follow-ups",
    "Quiz": "quiz",
}
STORY_TITLES = {"Explainer": "In the room", "Model answer": "Frame"}
ANCHORS = {**SECTIONS, **{story: SECTIONS[usual] for usual, story in STORY_TITLES.items()}}
# A question is answered before it is explained; the other kinds are read as they are written.
QUESTION_ORDER = ("model-answer", "explainer", *list(SECTIONS.values())[2:])
WORDS_PER_MINUTE = 180
NOTEBOOK = re.compile(r"\]\(\.\./\.\./notebooks/([a-z0-9-]+)\.ipynb")
# What a question says of itself with `kind="…"`; the other kinds show in its answers.
QUESTION_KINDS = ("order", "flag")
SNIPPET_KINDS = {".py": "python", ".frag": "shader", ".wgsl": "webgpu", ".cu": "cuda"}


@dataclass(frozen=True)
class Cited:
    """A source the bite leans on; `kind` is primary or secondary, `what_for` the part that was used."""

    title: str
    url: str
    kind: str
    what_for: str


@dataclass(frozen=True)
class RubricPoint:
    line: int
    weight: int
    text: str


@dataclass(frozen=True)
class RedFlag:
    """What a candidate says, and why it betrays a misconception."""

    line: int
    said: str
    why: str


@dataclass(frozen=True)
class FollowUp:
    line: int
    probe: str
    gist: str

    @property
    def anchor(self) -> str:
        """Where it is linked: `follow-up-` and its first words. Reworded, its old links lead to the section (web/core/part-named.js)."""
        words = "-".join(re.findall(r"[a-z0-9]+", plain(self.probe).lower()))
        return f"follow-up-{words if len(words) <= 40 else words[:41].rpartition('-')[0]}"


@dataclass(frozen=True)
class Answer:
    line: int
    right: bool
    text: str
    why: str


@dataclass(frozen=True)
class Numeric:
    """A right value, how far off still counts, and its unit. The numbers stand as the writer typed them."""

    value: str
    tolerance: str
    unit: str


@dataclass(frozen=True)
class Given:
    """`: size = 7, 13, 70`: a name, and the formulas that it may stand for. With a single one it follows from those above it."""

    line: int
    name: str
    items: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A question with its values drawn."""

    text: str
    numeric: Numeric
    why: str


@dataclass(frozen=True)
class Recorded:
    """What a snippet printed, of which `answer` is asked for; `shown` is the code that the reader sees, `line` the output's line."""

    src: str
    kind: str
    shown: str
    output: str
    line: int
    answer: str
    is_number: bool

    @property
    def asked_line(self) -> str:
        """The one line of the output: a card has no room for all of them."""
        return self.output.split("\n")[self.line]


@dataclass(frozen=True)
class Question:
    """A quiz question. A numeric one has no answers but a value; `why` is then its reason.

    `lost` are the lines that belong to no part of it and would not be shown. Once the library is read (`gpubites.settled`), a question
    with `given` names is its first variant, and one that predicts an output knows what was `recorded`; `trouble` says why not.
    """

    line: int
    id: str
    text: str
    answers: tuple[Answer, ...]
    numeric: Numeric | None
    why: str
    options: tuple[tuple[str, str], ...]
    lost: tuple[int, ...]
    given: tuple[Given, ...] = ()
    variants: tuple[Variant, ...] = ()
    recorded: Recorded | None = None
    trouble: tuple[Wrong, ...] = ()

    def option(self, name: str, default: str = "") -> str:
        return dict(self.options).get(name, default)

    @property
    def predicts(self) -> bool:
        """Does it ask for what a snippet prints?"""
        return "predict" in dict(self.options)

    @property
    def kind(self) -> str:
        """`one`, `many`, `numeric` or `predict`; or as the writer says: `order` (steps), `flag` (sentences, one of them a red flag)."""
        if self.numeric:
            return "numeric"
        if self.predicts:
            return "predict"
        said = self.option("kind")
        if said in QUESTION_KINDS:
            return said
        return "many" if sum(answer.right for answer in self.answers) > 1 else "one"


@dataclass(frozen=True)
class SnippetFence:
    """An ordinary fence with a source: ```` ```python {src="count_sectors.py" part="count"} ````."""

    line: int
    language: str
    src: str
    part: str
    options: tuple[tuple[str, str], ...]

    def option(self, name: str, default: str = "") -> str:
        return dict(self.options).get(name, default)


@dataclass(frozen=True)
class Bite:
    """Empty values stand where the file has none or a wrong one: the rules tell the writer."""

    source: Source
    title: str
    question: str
    kind: str
    level: str
    section: str
    roles: tuple[str, ...]
    prereqs: tuple[str, ...]
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]
    sources: tuple[Cited, ...]
    checked_on: str
    checked_how: str
    rubric: tuple[RubricPoint, ...]
    red_flags: tuple[RedFlag, ...]
    follow_ups: tuple[FollowUp, ...]
    quiz: tuple[Question, ...]
    fences: tuple[SnippetFence, ...]

    @cached_property
    def slug(self) -> str:
        """For good: the file's name, the snippets' folder, the address."""
        return self.source.stem

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def url(self) -> str:
        """Relative to the site's root."""
        return f"b/{self.slug}/"

    def part(self, anchor: str) -> Section | None:
        """A section by its fixed anchor, whatever the kind of bite calls it."""
        return next((section for section in self.source.sections if ANCHORS.get(section.title) == anchor), None)

    @property
    def page_order(self) -> tuple[str, ...]:
        """The anchors of its sections in the order of the page."""
        order = QUESTION_ORDER if self.kind == "question" else tuple(SECTIONS.values())
        return tuple(anchor for anchor in order if self.part(anchor))

    def words(self, anchor: str) -> int:
        section = self.part(anchor)
        return word_count(section.body) if section else 0

    def anchor_of(self, src: str, part: str) -> str:
        """The id of a snippet's figure. A file that is shown in several parts has its plain name at the first of them."""
        first = next((fence.part for fence in self.fences if fence.src == src), part)
        name = f"snippet-{src.rsplit('.', 1)[0]}"
        return name if part == first else f"{name}-{part or 'whole'}"

    @property
    def notebooks(self) -> tuple[str, ...]:
        """The names of the notebooks it links."""
        return tuple(dict.fromkeys(NOTEBOOK.findall(self.source.text)))

    @cached_property
    def minutes(self) -> int:
        """To read, from the words; at least one."""
        return max(1, round(sum(self.words(anchor) for anchor in SECTIONS.values()) / WORDS_PER_MINUTE))


def parse_bite(source: Source) -> Bite:
    """Type what the source holds."""
    front = source.front
    checked = front.get("checked")
    checked = checked if isinstance(checked, dict) else {}
    rubric, flags, follow_ups, quiz = (source.section(anchor) for anchor in ("what-it-tests", "red-flags", "follow-ups", "quiz"))
    return Bite(
        source=source,
        title=_text(front.get("title")),
        question=_text(front.get("question")),
        kind=_text(front.get("kind")),
        level=_text(front.get("level")),
        section=_text(front.get("section")),
        roles=_texts(front.get("roles")),
        prereqs=_texts(front.get("prereqs")),
        aliases=_texts(front.get("aliases")),
        keywords=_texts(front.get("keywords")),
        sources=tuple(_cited(entry) for entry in _list(front.get("sources")) if isinstance(entry, dict)),
        checked_on=_text(checked.get("on")),
        checked_how=_text(checked.get("how")),
        rubric=tuple(_rubric(rubric)) if rubric else (),
        red_flags=tuple(_red_flags(flags)) if flags else (),
        follow_ups=tuple(_follow_ups(follow_ups)) if follow_ups else (),
        quiz=tuple(_quiz(quiz)) if quiz else (),
        fences=tuple(_fences(source)),
    )


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict | bool) else str(value)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for item in _list(value) if (text := _text(item)))


def _cited(entry: dict[str, object]) -> Cited:
    return Cited(_text(entry.get("title")), _text(entry.get("url")), _text(entry.get("kind")), _text(entry.get("for")))


@dataclass(frozen=True)
class Item:
    """A list item: its line, and its text without marker and indent."""

    line: int
    text: str


def list_items(section: Section) -> Iterator[Item]:
    """The top-level `- ` items, each with the lines indented below it."""
    start: int | None = None
    kept: list[str] = []
    for index, line, in_code in code_aware([*section.body.split("\n"), "- end"]):
        if line.startswith("- ") and not in_code:
            if start is not None:
                yield Item(section.body_line + start, "\n".join(kept).strip())
            start, kept = index, [line[2:]]
        elif start is not None:
            kept.append(line.removeprefix("  "))


def lines_before_list(section: Section) -> Iterator[int]:
    """The lines of a section that stand before its first item: no item holds them."""
    for index, line in enumerate(section.body.split("\n")):
        if line.startswith("- "):
            return
        if line.strip():
            yield section.body_line + index


RUBRIC_POINT = re.compile(r"^\((?P<weight>[1-9])\) (?P<text>.+)$", re.DOTALL)
PROBE = re.compile(r"^\*\*(?P<probe>.+?)\*\*\s+(?P<gist>.+)$", re.DOTALL)
QUESTION = re.compile(r"^### (?P<text>.+?)\s*\{#(?P<id>[^\s}]+)(?P<options>[^}]*)\}\s*$")
QUESTION_WITHOUT_ID = re.compile(r"^### (?P<text>.+?)\s*$")
ANSWER = re.compile(r"^- \[(?P<mark>[ xX])\] (?P<text>.+)$")
# A comma between items has a blank behind it and stands in no parentheses: `8,192` and `min(a, b)` are one item each.
GIVEN = re.compile(r"^: (?P<name>[a-z][a-z0-9]*) = (?P<items>\S.*)$")
BETWEEN_ITEMS = re.compile(r",\s+(?![^()]*\))")
STEP = re.compile(r"^\d+\. (?P<text>.+)$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
WHY = re.compile(r"^\s*> ?(?P<text>.*)$")
OPTION = re.compile(r'(?P<name>[a-z]+)="(?P<value>[^"]*)"')
SNIPPET_FENCE = re.compile(r"^\s*(?P<language>[a-z]+) \{(?P<options>.*\bsrc=.*)\}\s*$")


def _rubric(section: Section) -> Iterator[RubricPoint]:
    for item in list_items(section):
        point = RUBRIC_POINT.match(item.text)
        yield RubricPoint(item.line, int(point["weight"]), one_line(point["text"])) if point else RubricPoint(item.line, 0, "")


def _red_flags(section: Section) -> Iterator[RedFlag]:
    for item in list_items(section):
        # The quotation is the first paragraph, also where a wrapped line leaves out its `>`.
        first, *rest = re.split(r"\n[ \t]*\n", item.text, maxsplit=1)
        said = one_line(" ".join(line.lstrip("> ") for line in first.split("\n"))) if first.startswith(">") else ""
        yield RedFlag(item.line, said, "".join(rest).strip() if said else item.text)


def _follow_ups(section: Section) -> Iterator[FollowUp]:
    for item in list_items(section):
        probe = PROBE.match(item.text)
        yield FollowUp(item.line, one_line(probe["probe"]), probe["gist"]) if probe else FollowUp(item.line, "", "")


def _quiz(section: Section) -> Iterator[Question]:
    lines = section.body.split("\n")
    starts = [index for index, line, in_code in code_aware(lines) if line.startswith("### ") and not in_code]
    for start, end in pairwise([*starts, len(lines)]):
        yield _question(lines[start:end], section.body_line + start)


def _question(lines: list[str], line: int) -> Question:
    head = QUESTION.match(lines[0])
    bare = QUESTION_WITHOUT_ID.match(lines[0])
    options = dict(OPTION.findall(head["options"])) if head else {}
    answers: list[Answer] = []
    reasons: list[str] = []
    lost: list[int] = []
    given: list[Given] = []
    for number, text in enumerate(lines[1:], start=line + 1):
        answer, why, name = ANSWER.match(text), WHY.match(text), GIVEN.match(text)
        step = STEP.match(text) if options.get("kind") == "order" else None
        if step:
            answers.append(Answer(number, True, step["text"].strip(), ""))
        elif name:
            given.append(Given(number, name["name"], tuple(BETWEEN_ITEMS.split(name["items"].strip()))))
        elif answer:
            answers.append(Answer(number, answer["mark"] != " ", answer["text"].strip(), ""))
        elif why and answers:
            answers[-1] = replace(answers[-1], why=f"{answers[-1].why} {why['text']}".strip())
        elif why:
            reasons.append(why["text"])
        elif not text.strip():
            continue
        elif answers and text.startswith("  ") and not ITEM.match(text) and not FENCE.match(text):
            answers[-1] = _continued(answers[-1], text.strip())
        else:
            lost.append(number)
    return Question(
        line=line,
        id=head["id"] if head else "",
        text=head["text"] if head else (bare["text"] if bare else ""),
        answers=tuple(answers),
        numeric=_numeric(options),
        why=" ".join(reasons).strip(),
        options=tuple(options.items()),
        lost=tuple(lost),
        given=tuple(given),
    )


def _continued(answer: Answer, text: str) -> Answer:
    """With a wrapped line: of the reason once that has begun, else of the answer."""
    if answer.why:
        return replace(answer, why=f"{answer.why} {text}")
    return replace(answer, text=f"{answer.text} {text}")


def _numeric(options: dict[str, str]) -> Numeric | None:
    if "numeric" not in options:
        return None
    return Numeric(options["numeric"], options.get("tolerance", "0"), options.get("unit", ""))


def _fences(source: Source) -> Iterator[SnippetFence]:
    for block in fenced_blocks(source.text.split("\n")):
        found = parse_fence(block.info, block.start + 1)
        if found:
            yield found


def parse_fence(info: str, line: int) -> SnippetFence | None:
    """A fence's info text, or None for an ordinary block."""
    snippet = SNIPPET_FENCE.match(info)
    if not snippet:
        return None
    options = dict(OPTION.findall(snippet["options"]))
    rest = tuple((name, value) for name, value in options.items() if name not in ("src", "part"))
    return SnippetFence(line, snippet["language"], options.get("src", ""), options.get("part", ""), rest)


def one_line(text: str) -> str:
    """Wrapped lines joined by single blanks."""
    return " ".join(text.split())
