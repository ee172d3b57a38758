"""A simulator: a Python file `…_lab.py` with one function `simulate`, whose signature says which controls a reader gets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import isfinite, prod
from typing import Any

from gpubites.problem import Wrong

Value = int | float | str | bool

# As many frames as a slider and a switch or two need; more would be a download, not a first touch.
MOST_FRAMES = 400
# More than a slider on a phone can tell apart.
MOST_VALUES = 1000
# The last whole number up to which JavaScript has them all.
LARGEST = 2**53
FORM = 'name: Annotated[int, range(1, 65), "words", "Stride between lanes"] = 1'
# What a parameter may be → what its values are checked against. `bool` is an `int` in Python, here it is not.
TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}


@dataclass(frozen=True)
class Control:
    """A parameter of `simulate`: the values a reader can choose, in order; the unit is empty where there is none."""

    name: str
    type: str
    values: tuple[Value, ...]
    unit: str
    label: str
    default: Value
    line: int = field(default=0, compare=False)

    @property
    def one(self) -> str:
        return singular(self.unit)

    @property
    def data(self) -> dict[str, Any]:
        """As the page knows it (web/core/lab.js)."""
        names = ("name", "type", "label", "unit", "one", "values", "default")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Prediction:
    """What the reader is asked first. Without `choices` the answer is a number; `at` are settings that differ from the defaults."""

    ask: str
    at: dict[str, Value]
    unit: str
    choices: tuple[str, ...]

    @property
    def one(self) -> str:
        return singular(self.unit)


@dataclass(frozen=True)
class Simulator:
    """`about` is the first line of the file's docstring, `left_out` says what the model ignores."""

    about: str
    left_out: str
    controls: tuple[Control, ...]
    prediction: Prediction | None
    wrong: tuple[Wrong, ...] = field(default=(), compare=False)

    @property
    def defaults(self) -> dict[str, Value]:
        return {control.name: control.default for control in self.controls}

    @property
    def recorded(self) -> tuple[Control, ...]:
        """The controls whose values are recorded: the first one, and those after it while all combinations stay few."""
        count = 0
        while count < len(self.controls) and prod(len(control.values) for control in self.controls[: count + 1]) <= MOST_FRAMES:
            count += 1
        return self.controls[:count]

    @property
    def settings(self) -> list[dict[str, Value]]:
        """Every recorded setting, the last recorded control running fastest. The others stay at their default."""
        names = [control.name for control in self.recorded]
        return [self.defaults | dict(zip(names, values, strict=True)) for values in product(*(c.values for c in self.recorded))]

    def place(self, setting: dict[str, Value]) -> int:
        """Where a recorded setting stands in `settings`."""
        place = 0
        for control in self.recorded:
            place = place * len(control.values) + control.values.index(setting[control.name])
        return place


def singular(unit: str) -> str:
    """The unit of one: `elements` → `element`, `passes` → `pass`. Symbols (`ms`, `GB/s`) stay as they are."""

    def one(word: re.Match[str]) -> str:
        text = word[0]
        for many, single in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("ss", "ss")):
            if text.endswith(many):
                return text.removesuffix(many) + single
        return text.removesuffix("s")

    return re.sub(r"(?<![\w/])[A-Za-z-]{3,}s\b(?!/)", one, re.sub(r"(?<![\w/])([A-Z]{2,})s\b", r"\1", unit))


def is_simulator(name: str) -> bool:
    """By the name of its file: `bank_lab.py`."""
    return name.endswith("_lab.py")


def read_simulator(text: str) -> Simulator:
    """Type what the file declares, without running it. Never raises: what is wrong is kept."""
    wrong: list[Wrong] = []
    module = _module(text)
    if isinstance(module, Wrong):
        return Simulator("", "", (), None, (module,))
    about = (ast.get_docstring(module) or "").split("\n")[0].strip()
    if not about:
        wrong.append(Wrong(1, "has no docstring", "its first line says what is simulated, and is shown above the controls"))
    controls = _signature(module, wrong)
    if controls and len(controls[0].values) > MOST_FRAMES:
        message = f"`{controls[0].name}` has {len(controls[0].values)} values, of which at most {MOST_FRAMES} can be recorded"
        wrong.append(Wrong(controls[0].line, message))
    assigned = [node for node in module.body if isinstance(node, ast.Assign)]
    names = {target.id: node for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    left_out = _literal(names["LEFT_OUT"].value) if "LEFT_OUT" in names else None
    if not isinstance(left_out, str) or len(left_out.split()) < 3:
        line = names["LEFT_OUT"].lineno if "LEFT_OUT" in names else 1
        wrong.append(Wrong(line, "does not say what the model leaves out", 'LEFT_OUT = "Caches, and the time of a row change."'))
    found = Simulator(about, left_out if isinstance(left_out, str) else "", controls, None)
    prediction = _prediction(names.get("PREDICT"), found, wrong)
    return Simulator(found.about, found.left_out, controls, prediction, tuple(wrong))


def read_controls(text: str) -> tuple[tuple[Control, ...], tuple[Wrong, ...]]:
    """Only the signature, and what is wrong with it: the page reads so what its reader has changed (web/core/signature.js)."""
    module = _module(text)
    if isinstance(module, Wrong):
        return (), (module,)
    wrong: list[Wrong] = []
    return _signature(module, wrong), tuple(wrong)


def imports(text: str) -> Iterator[tuple[int, str]]:
    """The line and the top-level name of every module that a file imports; none where it is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or ".").split(".")[0]


def _module(text: str) -> ast.Module | Wrong:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        return Wrong(error.lineno or 1, f"this is no Python: {error.msg}")


def _signature(module: ast.Module, wrong: list[Wrong]) -> tuple[Control, ...]:
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef) and node.name == "simulate"]
    if len(functions) == 1:
        return tuple(_controls(functions[0], wrong))
    line = functions[1].lineno if functions else 1
    wrong.append(Wrong(line, "a simulator has one function `simulate`", f"def simulate({FORM}):"))
    return ()


def _controls(function: ast.FunctionDef, wrong: list[Wrong]) -> Iterator[Control]:
    given = function.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or not given.args:
        wrong.append(Wrong(function.lineno, "`simulate` takes plain parameters, at least one", FORM))
        return
    defaults = [None] * (len(given.args) - len(given.defaults)) + list(given.defaults)
    for argument, default in zip(given.args, defaults, strict=True):
        control = _control(argument, default)
        if isinstance(control, Control):
            yield control
        else:
            wrong.append(Wrong(argument.lineno, f"`{argument.arg}` {control}", FORM))


def _control(argument: ast.arg, default: ast.expr | None) -> Control | str:
    """The control, or what is wrong with the parameter."""
    annotation = argument.annotation
    if not (isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name) and annotation.value.id == "Annotated"):
        return "is not annotated with its values, its unit and its label"
    parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else []
    if len(parts) != 4 or not isinstance(parts[0], ast.Name) or parts[0].id not in TYPES:
        return "is annotated as something else than a type (int, float, str, bool), values, unit and label"
    kind = parts[0].id
    values, unit, label = _values(parts[1]), _literal(parts[2]), _literal(parts[3])
    if values is not None and values[MOST_VALUES:]:
        return f"has more than {MOST_VALUES:,} values, the most of a control"
    if values is None or len(values) < 2 or len(set(values)) < len(values):
        return "needs a range or a list of at least two different values"
    if not all(_is(kind, value) for value in values):
        return f"has values that are no {kind}"
    if any(isinstance(value, int) and abs(value) > LARGEST for value in values):
        return "has values beyond 2**53, which a page cannot tell from their neighbors"
    if kind in ("int", "float") and list(values) != sorted(values):
        return "has values that do not grow"
    if not isinstance(unit, str) or not isinstance(label, str) or not label:
        return "has no unit (a text, perhaps empty) or no label"
    chosen = _literal(default) if default else None
    if chosen is None or not _is(kind, chosen) or chosen not in values:
        return "has no default among its values"
    return Control(argument.arg, kind, tuple(values), unit, label, chosen, argument.lineno)


def _values(node: ast.expr) -> Sequence[Value] | None:
    """Those of `range(…)` or of a list of literals."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" and not node.keywords:
        numbers = [_literal(argument) for argument in node.args]
        fits = 1 <= len(numbers) <= 3 and all(_is("int", number) for number in numbers) and numbers[2:] != [0]
        return range(*numbers) if fits else None
    listed = _literal(node)
    return listed if isinstance(listed, list) and all(isinstance(value, int | float | str) for value in listed) else None


def _is(kind: str, value: object) -> bool:
    if isinstance(value, float) and not isfinite(value):
        return False
    return isinstance(value, TYPES[kind]) and (kind == "bool") == isinstance(value, bool)


def _prediction(node: ast.Assign | None, simulator: Simulator, wrong: list[Wrong]) -> Prediction | None:
    hint = 'PREDICT = {"ask": "Stride 33: how many passes?", "at": {"stride": 33}, "unit": "passes"}, or "choices" for the unit'
    said = _literal(node.value) if node else None
    line = node.lineno if node else 1
    if not isinstance(said, dict):
        wrong.append(Wrong(line, "asks for no prediction", hint))
        return None
    ask, at, unit, choices = said.get("ask"), said.get("at"), said.get("unit", ""), said.get("choices", [])
    keys = set(said) <= {"ask", "at", "unit", "choices"} and ("unit" in said) != ("choices" in said)
    if not keys or not isinstance(ask, str) or not ask.endswith("?") or not isinstance(at, dict) or not isinstance(unit, str):
        wrong.append(Wrong(line, "asks for a prediction in another form", hint))
        return None
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices) or len(choices) == 1:
        wrong.append(Wrong(line, "offers something else than two or more texts to choose from", hint))
        return None
    known = {control.name: control for control in simulator.recorded}
    for name, value in at.items():
        if name not in known:
            wrong.append(Wrong(line, f"asks about `{name}`, which is no recorded control", f"recorded: {', '.join(known)}"))
            return None
        if value not in known[name].values:
            wrong.append(Wrong(line, f"asks about {name} = {value}, which is none of its values"))
            return None
    return Prediction(ask, at, unit, tuple(choices))


def _literal(node: ast.expr) -> Any:
    """The value of a literal, None where it is something else. Texts that stand beside each other are one."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
