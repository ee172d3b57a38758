"""Arithmetic worked in the open: `28 GB / 450 GB/s = 62 ms` is found in prose, and computed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gpubites.facts import BINARY, PREFIXED_UNITS, PREFIXES, rounding_step

TOKEN = re.compile(
    r"(?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)"
    r"|(?P<equals>=|≈)"
    # Between blanks, so that the slash of `GB/s` and the hyphen of `16-bit` are no operators; `7/8` and `4^2` are.
    r"|(?P<operator>(?<=\s)(?:x|×|\*|/|\+|-|−|–)(?=\s)|(?<=\d)/(?=\d)|\^|\*\*)"
    r"|(?P<word>%|[A-Za-zµ][\wµ]*(?:[/-][A-Za-zµ]\w*)*)"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<other>[^\s])"
)
SIGNS = {"×": "x", "*": "x", "−": "-", "–": "-", "**": "^"}
COUNTS = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
TIMES = {"minute": 60.0, "hour": 3600.0, "day": 86400.0}
ROUGHLY = ("≈", "about", "roughly", "nearly", "almost")
# Words that may follow a number before the next operator: `60 ms of work / 20`.
MOST_UNIT_WORDS = 4


@dataclass(frozen=True)
class Equation:
    """`start` and `end` are the places in the text; `value` is what the left side comes to, in the words' own unit."""

    start: int
    end: int
    text: str
    value: float
    agrees: bool


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class _Number:
    """A number as it is written, and in units without prefix: `28 GB` is 28 and 28e9. `step` is what its last digit stands for."""

    bare: float
    scaled: float
    step: float


def equations(text: str) -> Iterator[Equation]:
    """Every `expression = number` of a text, in order. An expression is numbers with units, + - x / ^ and parentheses."""
    tokens = [_Token(match.lastgroup or "", match[0], match.start(), match.end()) for match in TOKEN.finditer(text)]
    for index, token in enumerate(tokens):
        if token.kind != "equals":
            continue
        begin = index
        while begin and tokens[begin - 1].kind not in ("equals", "other"):
            begin -= 1
        left, first = _longest_expression(tokens[begin:index])
        at = index + 1
        roughly = token.text == "≈" or (at < len(tokens) and tokens[at].text in ROUGHLY)
        at += at < len(tokens) and tokens[at].text in ROUGHLY
        if not left or at >= len(tokens) or tokens[at].kind != "number" or not _ends_here(tokens, at):
            continue
        right, past = _number(tokens, at)
        start, end = tokens[begin + first].start, tokens[past - 1].end
        yield Equation(start, end, " ".join(text[start:end].split()), left.bare, _agree(left, right, roughly))


def _ends_here(tokens: list[_Token], at: int) -> bool:
    """Is what stands right of the sign one number, not `2 x 3`?"""
    _, past = _number(tokens, at)
    return past >= len(tokens) or tokens[past].kind != "operator"


def _longest_expression(tokens: list[_Token]) -> tuple[_Number | None, int]:
    """The longest end of the tokens that is an expression with an operator, and where it begins."""
    for first, token in enumerate(tokens):
        if token.kind in ("number", "open"):
            try:
                value, past, operators = _sum(tokens, first)
            except (ValueError, ArithmeticError):
                continue
            if past == len(tokens) and operators:
                return value, first
    return None, 0


def _sum(tokens: list[_Token], at: int) -> tuple[_Number, int, int]:
    value, at, operators = _product(tokens, at)
    while (sign := _sign(tokens, at)) in ("+", "-"):
        other, at, more = _product(tokens, at + 1)
        factor = 1 if sign == "+" else -1
        value = _Number(value.bare + factor * other.bare, value.scaled + factor * other.scaled, 0)
        operators += more + 1
    return value, at, operators


def _product(tokens: list[_Token], at: int) -> tuple[_Number, int, int]:
    value, at, operators = _power(tokens, at)
    while (sign := _sign(tokens, at)) in ("x", "/"):
        other, at, more = _power(tokens, at + 1)
        if sign == "x":
            value = _Number(value.bare * other.bare, value.scaled * other.scaled, 0)
        else:
            value = _Number(value.bare / other.bare, value.scaled / other.scaled, 0)
        operators += more + 1
    return value, at, operators


def _power(tokens: list[_Token], at: int) -> tuple[_Number, int, int]:
    value, at, operators = _atom(tokens, at)
    if _sign(tokens, at) == "^":
        other, at, more = _atom(tokens, at + 1)
        value = _Number(value.bare**other.bare, value.scaled**other.bare, 0)
        operators += more + 1
    return value, at, operators


def _atom(tokens: list[_Token], at: int) -> tuple[_Number, int, int]:
    if at >= len(tokens):
        raise ValueError("nothing follows the operator")
    if tokens[at].kind == "number":
        value, at = _number(tokens, at)
        return value, at, 0
    if tokens[at].kind != "open":
        raise ValueError(f"`{tokens[at].text}` is no number")
    value, at, operators = _sum(tokens, at + 1)
    if at >= len(tokens) or tokens[at].kind != "close":
        raise ValueError("a parenthesis stays open")
    scale, at = _unit(tokens, at + 1)
    return _Number(value.bare, value.scaled * scale, 0), at, operators


def _sign(tokens: list[_Token], at: int) -> str:
    if at >= len(tokens) or tokens[at].kind != "operator":
        return ""
    return SIGNS.get(tokens[at].text, tokens[at].text)


def _number(tokens: list[_Token], at: int) -> tuple[_Number, int]:
    digits = tokens[at].text.replace(",", "")
    scale, past = _unit(tokens, at + 1)
    step = rounding_step(digits) if "e" not in digits else float(digits) * 0.01
    return _Number(float(digits), float(digits) * scale, step), past


def _unit(tokens: list[_Token], at: int) -> tuple[float, int]:
    """What the words after a number multiply it with, and where they end. Unknown words count as one."""
    scale, past = 1.0, at
    while past < len(tokens) and tokens[past].kind == "word" and past - at < MOST_UNIT_WORDS:
        scale *= _worth(tokens[past].text)
        past += 1
    return scale, past


def _worth(word: str) -> float:
    if word == "%":
        return 0.01
    if word in COUNTS or word.rstrip("s") in TIMES:
        return COUNTS.get(word) or TIMES[word.rstrip("s")]
    if word in BINARY:
        return BINARY[word]
    for base in (*PREFIXED_UNITS, "FLOP", "FLOPs", "bit", "J"):
        if word.endswith(base) and word.removesuffix(base) in PREFIXES:
            return PREFIXES[word.removesuffix(base)]
    return 1.0


def _agree(left: _Number, right: _Number, roughly: bool) -> bool:
    """Do both sides say the same, in the numbers as written or with their units? Writers leave units out on either side."""
    half = right.step / 2 * (1 + 1e-9)
    if roughly:
        half = max(half, abs(right.bare) * 0.05)
    worth = right.scaled / right.bare if right.bare else 1.0
    return any(
        abs(computed - stated) <= half * scale + abs(stated) * 1e-12
        for computed in (left.bare, left.scaled)
        for stated, scale in ((right.bare, 1.0), (right.scaled, worth))
    )
