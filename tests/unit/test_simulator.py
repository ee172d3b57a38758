"""What a simulator's file declares, where its settings are recorded, and which frames are refused."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from gpubites.frame import ATTRIBUTES, ELEMENTS, Frame, frames_file, read_frame, read_frames
from gpubites.run.python import SnippetError
from gpubites.run.simulator import frames_of
from gpubites.simulator import MOST_FRAMES, MOST_VALUES, Simulator, read_controls, read_simulator, singular

GOOD = '''\
"""Counts."""
from typing import Annotated

PREDICT = {"ask": "Stride 2: how many?", "at": {"stride": 2}, "unit": "sectors"}
LEFT_OUT = "Caches and everything else."


def simulate(
    stride: Annotated[int, range(1, 4), "floats", "Stride"] = 1,
    wide: Annotated[bool, [False, True], "", "Wide loads"] = False,
    load: Annotated[float, [0.5, 1.0], "", "Load"] = 0.5,
):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="4" height="4"/></svg>'
    return {"svg": svg, "table": [["a"], [stride]], "result": stride * 4, "says": f"Stride {stride} wide {wide} load {load}."}
'''
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def changed(good: str, bad: str) -> Simulator:
    assert GOOD.count(good) == 1
    return read_simulator(GOOD.replace(good, bad))


def test_controls_come_from_the_signature() -> None:
    simulator = read_simulator(GOOD)
    assert simulator.wrong == ()
    assert [(c.name, c.type, c.values, c.unit, c.label, c.default) for c in simulator.controls] == [
        ("stride", "int", (1, 2, 3), "floats", "Stride", 1),
        ("wide", "bool", (False, True), "", "Wide loads", False),
        ("load", "float", (0.5, 1.0), "", "Load", 0.5),
    ]
    assert simulator.prediction
    assert (simulator.about, simulator.prediction.at) == ("Counts.", {"stride": 2})


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("elements", "element"),
        ("passes", "pass"),
        ("queries", "query"),
        ("micro-batches", "micro-batch"),
        ("bytes", "byte"),
        ("GPUs", "GPU"),
        ("prompt tokens", "prompt token"),
        ("dollars an hour", "dollar an hour"),
        *((unit, unit) for unit in ("", "ms", "s", "%", "MB", "TFLOP/s", "FLOP/byte", "of a pass", "bits/s")),
    ],
)
def test_one_is_not_many(many: str, one: str) -> None:
    assert singular(many) == one


def test_every_recorded_setting_has_its_place() -> None:
    simulator = read_simulator(GOOD)
    assert len(simulator.settings) == 3 * 2 * 2
    assert [simulator.place(setting) for setting in simulator.settings] == list(range(12))


def test_later_controls_are_recorded_only_while_all_combinations_stay_few() -> None:
    simulator = changed("range(1, 4)", "range(1, 202)")
    assert [control.name for control in simulator.recorded] == ["stride"], "201 x 2 are more than 400"
    assert len(simulator.settings) == 201 <= MOST_FRAMES
    assert all(setting["wide"] is False for setting in simulator.settings)


@pytest.mark.parametrize(
    ("good", "bad", "line", "said"),
    [
        ('"""Counts."""', "", 1, "no docstring"),
        ("def simulate(", "def simulated(", 1, "one function `simulate`"),
        ("stride: Annotated", "*, stride: Annotated", 8, "plain parameters"),
        ('Annotated[int, range(1, 4), "floats", "Stride"]', "int", 9, "`stride` is not annotated"),
        ('range(1, 4), "floats", "Stride"', 'range(1, 4), "Stride"', 9, "`stride` is annotated as something else"),
        ("Annotated[int, range", "Annotated[bytes, range", 9, "`stride` is annotated as something else"),
        ("range(1, 4)", "range(1, 2)", 9, "at least two different values"),
        ("range(1, 4)", "[1, 1]", 9, "at least two different values"),
        ("range(1, 4)", "range(1, 4, 0)", 9, "at least two different values"),
        ("range(1, 4)", "range(999)", 9, "999 values"),
        ("range(1, 4)", "range(10 ** 30)", 9, "at least two different values"),
        ("range(1, 4)", f"range({10**30})", 9, f"more than {MOST_VALUES:,} values"),
        ("range(1, 4)", f"[1, {10**400}]", 9, "beyond 2**53"),
        ("range(1, 4)", "[1, 2, {[]}]", 9, "at least two different values"),
        ("[0.5, 1.0]", "[0.5, 1e999]", 11, "are no float"),
        ("] = False,", "] = 0,", 10, "no default"),
        ("range(1, 4)", "[2, 1]", 9, "do not grow"),
        ("range(1, 4)", '["1", "2"]', 9, "are no int"),
        ("[False, True]", "[0, 1]", 10, "are no bool"),
        ("] = 1,", "],", 9, "no default"),
        ("] = 1,", "] = 7,", 9, "no default"),
        ('"at": {"stride": 2}', '"at": {"strides": 2}', 4, "`strides`, which is no recorded control"),
        ('"at": {"stride": 2}', '"at": {"stride": 9}', 4, "stride = 9, which is none of its values"),
        ('"unit": "sectors"', '"choices": ["one"]', 4, "two or more texts"),
        ('"unit": "sectors"', '"units": "sectors"', 4, "in another form"),
        ("how many?", "how many", 4, "in another form"),
        ('"Caches and everything else."', '""', 5, "does not say what the model leaves out"),
        ("from typing import Annotated", "from typing import", 2, "is no Python"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(good: str, bad: str, line: int, said: str) -> None:
    wrong = changed(good, bad).wrong
    assert next((found.line, said in found.message) for found in wrong) == (line, True), wrong


def test_a_readers_model_needs_a_signature_and_no_more() -> None:
    """What only a bite has to say, a question and what is left out, is not asked of who tries something."""
    code = GOOD.replace('"at": {"stride": 2}', '"at": {"stride": 9}').replace('"""Counts."""', "").replace("LEFT_OUT", "REST")
    controls, wrong = read_controls(code)
    assert (controls, wrong) == (read_simulator(GOOD).controls, ())
    assert controls[0].data == {
        "name": "stride", "type": "int", "label": "Stride", "unit": "floats", "one": "float", "values": (1, 2, 3), "default": 1,
    }  # fmt: skip
    assert [(found.line, found.message.split()[-1]) for found in read_controls(code.replace("range(1, 4)", "[2, 1]"))[1]] == [(9, "grow")]
    assert read_controls("def simulate(")[1][0].line == 1


def test_frames_are_what_the_file_answers_setting_by_setting(tmp_path: Path) -> None:
    source = tmp_path / "count_lab.py"
    source.write_text(GOOD)
    frames = frames_of(source, read_simulator(GOOD).settings)
    assert [frame.says for frame in frames[:3]] == [
        "Stride 1 wide False load 0.5.",
        "Stride 1 wide False load 1.0.",
        "Stride 1 wide True load 0.5.",
    ]
    assert read_frames(frames_file(frames)) == tuple(frames)


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ('"result": stride * 4', '"result": None', r"simulate\(stride=1, wide=False, load=0.5\): the result is a number or a text"),
        ("stride * 4", "1 / (stride - 1)", "ZeroDivisionError"),
        ("    svg = ", "    while True: pass\n    svg = ", "has not answered 12 settings"),
    ],
)
def test_a_simulator_that_fails_says_where(good: str, bad: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpubites.run.simulator.TIMEOUT", 2)
    source = tmp_path / "count_lab.py"
    source.write_text(GOOD.replace(good, bad))
    with pytest.raises(SnippetError, match=said):
        frames_of(source, read_simulator(GOOD).settings)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"svg": SVG.format("<script>1</script>")}, "holds <script>"),
        ({"svg": SVG.format('<a href="https://example.com"/>')}, "holds <a>"),
        ({"svg": SVG.format('<rect onclick="alert(1)"/>')}, "onclick"),
        ({"svg": SVG.format('<rect fill="url(#x)"/>')}, "would not draw"),
        ({"svg": SVG.format('<rect class="javascript:1"/>')}, "would not draw"),
        ({"svg": '<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("")}, "without declarations"),
        ({"svg": SVG.format("<rect>")}, "is no SVG"),
        ({"svg": "<svg/>"}, "begins with"),
        ({"svg": SVG.format("<rect/>" * 9999)}, "at most"),
        ({"table": [["a"]]}, "list of rows"),
        ({"table": [["a", "b"], [1]]}, "equally long"),
        ({"table": [["a"], [None]]}, "numbers and texts"),
        ({"result": float("nan")}, "a number or a text"),
        ({"says": "no full stop"}, "a sentence"),
        ({"more": 1}, "returns"),
    ],
)
def test_a_frame_that_the_page_could_not_show_is_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_frame({"svg": SVG.format(""), "table": [["a"], [1]], "result": 1, "says": "One."} | change)


def test_damaged_frames_are_refused() -> None:
    content = frames_file([Frame(SVG.format(""), (("a",), (1,)), 1, "One.")])
    with pytest.raises(ValueError, match="damaged"):
        read_frames(content[:-5])


def test_page_and_recorder_draw_by_the_same_lists(root: Path) -> None:
    script = (root / "web/core/safe-svg.js").read_text()
    words = set(dedent(script).replace('"', " ").split())
    assert words >= ELEMENTS | ATTRIBUTES
