"""Facts: quotable numbers with unit, scope, direction, source and date; derived ones are formulas over others."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

import yaml

from gpubites.problem import Wrong, did_you_mean, named
from gpubites.yaml_text import QUOTE, BadYaml, line_of, read_with_nodes, repeated_keys

SCOPES = (
    "gpu", "sm", "block", "warp", "thread", "link", "switch", "node", "rack",
    "model", "layer", "token", "format", "api", "software",
)  # fmt: skip
DIRECTIONS = ("one-way", "total", "none")
DENSITIES = ("dense", "sparse", "none")
STATUSES = ("verified", "single-source")
# Rates and sizes take SI prefixes (GB/s ↔ TB/s); binary sizes and counted nouns are shown as they are.
PREFIXED_UNITS = ("FLOP/s", "B/s", "B", "W", "Hz", "OP/s", "bit/s", "s")
PREFIXES = {"n": 1e-9, "µ": 1e-6, "u": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
BINARY = {"bytes": 1.0, "B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40}
QUANTITY = re.compile(r"^(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s*(?P<unit>.+))?$")
FACT_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
TOKEN = re.compile(rf"(?P<number>\b\d[\d.]*(?:e[+-]?\d+)?)|(?P<name>{FACT_ID.pattern})")
ENTRY_KEYS = ("id", "value", "unit", "what", "scope", "direction", "density", "device", "source", "seen", "status", "note")
OPTIONAL_KEYS = ("device", "note")
DERIVED_KEYS = ("id", "formula", "unit", "what", "scope", "direction", "density", "device", "note")
# What hints show.
EXAMPLE = {
    "id": "h100-sxm-mem-bw",
    "value": "3350",
    "formula": "h100-sxm-mem-bw * 7 / 8",
    "unit": "GB/s",
    "what": "H100 SXM, memory bandwidth.",
    "scope": f"one of {', '.join(SCOPES)}",
    "direction": f"one of {', '.join(DIRECTIONS)}",
    "density": f"one of {', '.join(DENSITIES)}",
    "device": "H100 SXM",
    "source": '{title: …, url: "https://…"}',
    "seen": "2026-11-30",
    "status": f"one of {', '.join(STATUSES)}",
    "note": "what the reader of the source should know",
}


@dataclass(frozen=True)
class Fact:
    """One number. `formula` is empty for a fact that was read somewhere; a derived one has no source of its own."""

    id: str
    path: str
    line: int
    value: float | None
    unit: str
    what: str
    scope: str
    direction: str
    density: str
    device: str
    source_title: str
    source_url: str
    seen: str
    status: str
    formula: str

    @property
    def inputs(self) -> tuple[str, ...]:
        """The ids that the formula names."""
        names = (match["name"] for match in TOKEN.finditer(self.formula))
        return tuple(name for name in names if name and name not in FUNCTIONS)

    @property
    def text(self) -> str:
        """`600 GB/s`; at most four significant digits, none of them invented."""
        if self.value is None:
            return "?"
        # Decimal, since a float of four digits may be written 1.235e+04.
        number = f"{self.value:,.0f}" if self.value == int(self.value) else f"{Decimal(f'{self.value:.4g}'):,f}"
        return f"{number} {self.unit}".strip()


FUNCTIONS: Mapping[str, Callable[..., float]] = {"min": min, "max": max, "ceil": math.ceil, "floor": math.floor}
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def read_facts(path: str, text: str) -> tuple[tuple[Fact, ...], tuple[Wrong, ...]]:
    """The facts of one file, formulas not yet evaluated, and what is wrong with it."""
    try:
        entries, node = read_with_nodes(text)
    except BadYaml as error:
        return (), (Wrong(error.line + 1, str(error), QUOTE),)
    if entries is None:
        return (), ()
    if not isinstance(entries, list) or not isinstance(node, yaml.SequenceNode):
        return (), (Wrong(1, "a facts file is a list of facts", "- id: …"),)
    facts: list[Fact] = []
    wrong = [Wrong(line + 1, f"`{key}` stands twice", "keep one") for line, key in repeated_keys(node)]
    for entry, entry_node in zip(entries, node.value, strict=True):
        line = line_of(entry_node) + 1
        if not isinstance(entry, dict) or not isinstance(entry_node, yaml.MappingNode):
            wrong.append(Wrong(line, f"a fact is a mapping, not {named(entry)}", "- id: …"))
            continue
        lines = {str(key.value): line_of(key) + 1 for key, _ in entry_node.value}
        name = named(entry["id"]) if "id" in entry else "a fact"
        wrong += [Wrong(lines.get(key, line), f"{name}: {message}", hint) for key, message, hint in _wrong_with(entry)]
        facts.append(_fact(path, line, entry))
    return tuple(facts), tuple(wrong)


def _wrong_with(entry: dict[object, object]) -> Iterator[tuple[str, str, str]]:
    """Key, message and hint, the key being where the problem stands."""
    allowed = DERIVED_KEYS if "formula" in entry else ENTRY_KEYS
    for key in entry:
        if key not in allowed:
            yield str(key), f"unknown key {named(key)}", did_you_mean(str(key), allowed) or f"the keys are {', '.join(allowed)}"
    for key in allowed:
        if key not in entry and key not in OPTIONAL_KEYS:
            yield "", f"`{key}` is missing", f"add it: {key}: {EXAMPLE[key]}"
    for key in allowed:
        if key in entry:
            hint = did_you_mean(str(entry[key]), CLOSED.get(key, ())) or f"{key}: {EXAMPLE[key]}"
            yield from ((key, message, hint) for message in _wrong_value(key, entry[key]))


def _wrong_value(key: str, value: object) -> Iterator[str]:
    closed = CLOSED.get(key)
    if closed and value not in closed:
        yield f"{key} {named(value)} is not one of {', '.join(closed)}"
    elif key == "id" and not (isinstance(value, str) and FACT_ID.fullmatch(value)):
        yield "an id is lower-case words joined by hyphens"
    elif key == "value" and number_of(value) is None:
        yield f"the value is a number, not {named(value)}"
    elif key == "seen" and (not isinstance(value, date) or isinstance(value, datetime)):
        yield f"`seen` is a day such as 2026-11-30, not {named(value)}"
    elif key == "source" and not _is_source(value):
        yield "a source is {title, url}, two texts, the url an https address"
    elif key in ("unit", "what", "device", "note", "formula") and not (isinstance(value, str) and value.strip()):
        yield f"`{key}` is a text, not {named(value)}"


CLOSED = {"scope": SCOPES, "direction": DIRECTIONS, "density": DENSITIES, "status": STATUSES}


def number_of(value: object) -> float | None:
    """A finite number as a float; None for anything else. YAML knows `.inf`, a fact does not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _is_source(value: object) -> bool:
    if not isinstance(value, dict) or set(value) != {"title", "url"}:
        return False
    title, url = value["title"], value["url"]
    return isinstance(title, str) and bool(title.strip()) and isinstance(url, str) and url.startswith("https://")


def _fact(path: str, line: int, entry: dict[object, object]) -> Fact:
    source = entry.get("source")
    source = source if isinstance(source, dict) else {}

    def text(key: str) -> str:
        value = entry.get(key)
        return value if isinstance(value, str) else ""

    seen = entry.get("seen")
    return Fact(
        id=text("id"),
        path=path,
        line=line,
        value=number_of(entry.get("value")),
        unit=text("unit"),
        what=text("what"),
        scope=text("scope"),
        direction=text("direction"),
        density=text("density"),
        device=text("device"),
        source_title=str(source.get("title", "")),
        source_url=str(source.get("url", "")),
        seen=seen.isoformat() if isinstance(seen, date) else "",
        status=text("status"),
        formula=text("formula"),
    )


class NoValue(ValueError):
    """A fact that a formula names has no value. That is told where the fact stands, not again for all that hangs on it."""


def evaluate(facts: Iterable[Fact]) -> tuple[dict[str, Fact], dict[str, str]]:
    """Give every derived fact its value. Returns all facts by id, and what is wrong by id."""
    known: dict[str, Fact] = {}
    for fact in facts:
        known.setdefault(fact.id, fact)
    wrong: dict[str, str] = {}
    done: dict[str, float | None] = {}

    def value_of(fact_id: str, trail: tuple[str, ...]) -> float | None:
        if fact_id in trail:
            raise ValueError(f"the formulas go in a circle: {' → '.join([*trail[trail.index(fact_id) :], fact_id])}")
        fact = known.get(fact_id)
        if fact is None:
            raise ValueError(f"`{fact_id}` is no fact")
        if fact_id not in done:
            done[fact_id] = computed(fact, (*trail, fact_id)) if fact.formula else fact.value
        return done[fact_id]

    def computed(fact: Fact, trail: tuple[str, ...]) -> float | None:
        def needed(name: str) -> float:
            value = value_of(name, trail)
            if value is None:
                raise NoValue(name)
            return value

        try:
            return calculate(fact.formula, needed)
        except NoValue:
            return None
        except ValueError as error:
            wrong[fact.id] = str(error)
            return None

    for fact in list(known.values()):
        if fact.formula:
            known[fact.id] = replace(fact, value=value_of(fact.id, ()))
    return known, wrong


def calculate(formula: str, value_of: Callable[[str], float]) -> float:
    """The value of `a100-nvlink-total / 2`: numbers, fact ids, + - * / ** and min, max, ceil, floor; nothing else.

    A minus sign stands between blanks, since ids hold hyphens. Raises `ValueError` for anything else, and for a division by zero.
    """
    formula = " ".join(formula.split())
    names: dict[str, str] = {}

    def placeholder(match: re.Match[str]) -> str:
        if match["number"] or match[0] in FUNCTIONS:
            return match[0]
        name = f"fact_{len(names)}"
        names[name] = match[0]
        return name

    try:
        tree = ast.parse(TOKEN.sub(placeholder, formula), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ValueError(f"`{formula}` is no formula") from None

    def walk(node: ast.AST) -> float:
        match node:
            case ast.Expression(body=body):
                return walk(body)
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
            case ast.Name(id=name) if name in names:
                return value_of(names[name])
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -walk(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](walk(left), walk(right))
            case ast.Call(func=ast.Name(id=function), args=args, keywords=[]) if function in FUNCTIONS:
                return float(FUNCTIONS[function](*[walk(arg) for arg in args]))
        raise ValueError(f"a formula holds numbers, fact ids, + - * / ** and min, max, ceil, floor: `{formula}`")

    try:
        value = walk(tree)
    except ZeroDivisionError:
        raise ValueError(f"`{formula}` divides by zero") from None
    except (ArithmeticError, TypeError, RecursionError):
        raise ValueError(f"`{formula}` cannot be computed") from None
    # The root of a negative number is complex, and a fact is not.
    if not isinstance(value, float) or not math.isfinite(value):
        raise ValueError(f"`{formula}` is no number")
    return value


def disagreement(text: str, fact: Fact) -> str:
    """Why the words of a fact link do not say the fact; empty where they do. Rounding to the digits shown is allowed."""
    quantity = QUANTITY.match(" ".join(text.split()))
    if not quantity:
        return f"the text of a fact link is a number and a unit, such as `{fact.text}`"
    if fact.value is None:
        return ""
    digits = quantity["number"].replace(",", "")
    shown, scale = float(digits), _scale(quantity["unit"] or "", fact.unit)
    if scale is None:
        return f"`{quantity['unit']}` is not the fact's unit, `{fact.unit}`"
    if abs(shown - fact.value / scale) <= rounding_step(digits) / 2 * (1 + 1e-9):
        return ""
    return f"the fact says {fact.text}"


def rounding_step(digits: str) -> float:
    """What the last digit shown stands for. 2,380 shown as 2,400 is rounding too, as long as two digits are left."""
    whole, _, decimals = digits.partition(".")
    if decimals:
        return 10.0 ** -len(decimals)
    zeros = len(whole) - len(whole.rstrip("0"))
    return 10.0**zeros if len(whole) - zeros >= 2 else 1.0


def _scale(shown: str, unit: str) -> float | None:
    """What one shown unit is worth in the fact's unit: TB/s of GB/s is 1000. None where they do not fit."""
    if shown == unit or not shown:
        return 1.0
    if shown.rstrip("s") == unit.rstrip("s"):
        return 1.0
    if shown in BINARY and unit in BINARY:
        return BINARY[shown] / BINARY[unit]
    for base in PREFIXED_UNITS:
        if shown.endswith(base) and unit.endswith(base):
            pair = PREFIXES.get(shown.removesuffix(base)), PREFIXES.get(unit.removesuffix(base))
            if pair[0] and pair[1]:
                return pair[0] / pair[1]
    return None
