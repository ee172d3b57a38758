"""Numeric questions that draw their values: `: size = 7, 13, 70` and a formula make up to twelve variants, all computed here."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from gpubites.arithmetic import equations
from gpubites.bite import Numeric, Question, Variant
from gpubites.facts import Fact, calculate
from gpubites.problem import Wrong, did_you_mean
from gpubites.prose import FACT_LINK, blank_code_spans

MOST_VARIANTS = 12
FEWEST_VARIANTS = 4
ANSWER = "answer"
PLACEHOLDER = re.compile(r"\{(?P<name>[a-z][a-z0-9]*)(?P<device>\.device)?\}")
RANGE = re.compile(r"(?P<first>\d+)\.\.(?P<last>\d+)(?: by (?P<step>[1-9]\d*))?")
LONGEST_RANGE = 100
HINT = ": size = 7, 13, 70"


@dataclass(frozen=True)
class _Value:
    """`text` is what stands in the page, `device` whose fact it is."""

    number: float
    text: str
    device: str = ""


def draw_variants(question: Question, facts: Mapping[str, Fact]) -> tuple[tuple[Variant, ...], tuple[Wrong, ...]]:
    """The variants, the first one of the first values; and what is wrong with the question."""
    trouble = list(_wrong_names(question))
    if not question.numeric:
        return (), (Wrong(question.line, "values are drawn for a numeric question only", 'numeric="size * 2"'),)
    if trouble:
        return (), tuple(trouble)
    drawn: list[Variant] = []
    for chosen in _chosen(question):
        try:
            values = _values(question, chosen, facts)
        except _Trouble as found:
            return (), (found.wrong,)
        drawn.append(_variant(question, values))
        trouble += _wrong_variant(question, drawn[-1], values[ANSWER].number)
    return tuple(drawn), tuple(dict.fromkeys([*trouble, *_wrong_as_a_whole(question, drawn)]))


def first_values(question: Question, facts: Mapping[str, Fact]) -> dict[str, str]:
    """Placeholder → what the first variant says for it."""
    return _names(_values(question, next(iter(_chosen(question))), facts))


def fill(text: str, names: Mapping[str, str]) -> str:
    """The text with what the placeholders stand for. One that stands for nothing is left."""
    return PLACEHOLDER.sub(lambda found: names.get(found[0][1:-1], found[0]), text)


class _Trouble(ValueError):
    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.message)
        self.wrong = wrong


def _items(items: tuple[str, ...]) -> tuple[str, ...]:
    """With ranges written out: `8..32 by 8` is four items."""
    found: list[str] = []
    for item in items:
        span = RANGE.fullmatch(item)
        values = range(int(span["first"]), int(span["last"]) + 1, int(span["step"] or 1))[:LONGEST_RANGE] if span else ()
        found += map(str, values) if values else [item]
    return tuple(found)


def _chosen(question: Question) -> Iterator[tuple[str, ...]]:
    """One item of every name. Where there are more combinations than variants, which ones hangs on the question's id alone."""
    combinations = list(product(*(_items(given.items) for given in question.given)))
    if len(combinations) > MOST_VARIANTS:
        places = random.Random(question.id).sample(range(1, len(combinations)), MOST_VARIANTS - 1)
        combinations = [combinations[place] for place in (0, *sorted(places))]
    yield from combinations


def _values(question: Question, chosen: tuple[str, ...], facts: Mapping[str, Fact]) -> dict[str, _Value]:
    values: dict[str, _Value] = {}

    def value_of(name: str) -> float:
        if name in values:
            return values[name].number
        fact = facts.get(name)
        if fact is None:
            near = did_you_mean(name, [*values, *facts])
            raise ValueError(f"`{name}` is no fact, and given in no line above{f': {near}' if near else ''}")
        if fact.value is None:
            raise ValueError(f"the fact `{name}` has no value")
        return fact.value

    def computed(formula: str, line: int) -> float:
        try:
            return calculate(formula, value_of)
        except ValueError as error:
            raise _Trouble(Wrong(line, str(error), f"numbers, names, fact ids, + - * / **, min, max, ceil, floor: {HINT}")) from None

    for given, item in zip(question.given, chosen, strict=True):
        number, fact = computed(item, given.line), facts.get(item)
        values[given.name] = _Value(number, f"[{fact.text}](fact:{fact.id})", fact.device) if fact else _Value(number, shown(number))
    formula = question.numeric.value if question.numeric else ""
    number = computed(formula, question.line)
    values[ANSWER] = _Value(number, shown(number))
    return values


def shown(number: float) -> str:
    """As a fact is shown: `1,048,576`, `33.33`; four significant digits where it is no whole number."""
    return f"{number:,.0f}" if _is_whole(number) else f"{Decimal(f'{number:.4g}'):,f}"


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) <= 1e-9 * max(1.0, abs(number))


def _names(values: Mapping[str, _Value]) -> dict[str, str]:
    devices = {f"{name}.device": value.device for name, value in values.items() if value.device}
    return {name: value.text for name, value in values.items()} | devices


def _variant(question: Question, values: Mapping[str, _Value]) -> Variant:
    assert question.numeric
    number, names = values[ANSWER].number, _names(values)
    share = question.numeric.tolerance.removesuffix("%")
    tolerance = question.numeric.tolerance
    if share != tolerance and _is_number(share):
        tolerance = _plain(abs(number) * float(share) / 100)
    numeric = Numeric(_plain(number), tolerance, question.numeric.unit)
    return Variant(fill(question.text, names), numeric, fill(question.why, names))


def _plain(number: float) -> str:
    """As it is shown, in digits and a point alone."""
    return shown(number).replace(",", "")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(?:\.\d+)?", text) is not None


# --- what is wrong with it -------------------------------------------------------------------------------------------


def _wrong_names(question: Question) -> Iterator[Wrong]:
    seen: set[str] = set()
    for given in question.given:
        if given.name in seen or given.name == ANSWER:
            taken = "is what the formula gives" if given.name == ANSWER else "is given twice"
            yield Wrong(given.line, f"`{given.name}` {taken}", "choose another name")
        seen.add(given.name)
    known = [*seen, ANSWER]
    for text in (question.text, question.why):
        for found in re.finditer(r"\{([^{}]*)\}", text):
            name = PLACEHOLDER.fullmatch(found[0])
            if not name or name["name"] not in known:
                yield Wrong(question.line, f"`{found[0]}` stands for nothing", did_you_mean(found[1], known) or HINT)
    told = {found["name"] for found in PLACEHOLDER.finditer(question.text)}
    for given in question.given:
        if len(_items(given.items)) > 1 and given.name not in told:
            yield Wrong(given.line, f"`{given.name}` is drawn, and the question does not say it", f"put {{{given.name}}} into the question")
    if f"{{{ANSWER}}}" not in question.why:
        yield Wrong(question.line, "the reason does not work out the answer", "> {size} x 2 bytes = {answer} bytes")


def _wrong_variant(question: Question, variant: Variant, exact: float) -> Iterator[Wrong]:
    left = next((found for text in (variant.text, variant.why) for found in PLACEHOLDER.finditer(text)), None)
    if left:
        yield Wrong(question.line, f"`{left[0]}`: not every value is a fact with a device", "name facts only, each with its `device`")
    value, tolerance = variant.numeric.value, variant.numeric.tolerance
    if _is_number(tolerance) and abs(float(value) - exact) > float(tolerance):
        yield Wrong(question.line, f"the answer is {exact:.6g}, and {value}, as it is shown, would be wrong", 'tolerance="1%"')
    text = blank_code_spans(FACT_LINK.sub(lambda link: link["text"], variant.why))
    for equation in equations(text):
        if not equation.agrees:
            yield Wrong(
                question.line, f"`{equation.text}`: the left side comes to {equation.value:.6g}", "mend the reason, or say `= about`"
            )


def _wrong_as_a_whole(question: Question, drawn: list[Variant]) -> Iterator[Wrong]:
    if len(drawn) < FEWEST_VARIANTS:
        yield Wrong(question.line, f"{len(drawn)} variants, {FEWEST_VARIANTS} or more are worth drawing", f"more values: {HINT}")
    elif len({variant.numeric.value for variant in drawn}) == 1:
        yield Wrong(question.line, "the answer is the same for all values", "let the formula hang on what is drawn")
