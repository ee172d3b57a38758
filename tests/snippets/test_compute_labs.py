"""Every compute lab still gives what is recorded, and all of its values are numpy's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from gpubites.compute import Buffer, Plan, read_plan
from gpubites.run.compute import ComputeError, ComputeStudio, record_compute
from gpubites.run.recording import parse_recording, recording_path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "snippets").glob("*/*.wgsl"))


@pytest.fixture(scope="module")
def studio() -> Iterator[ComputeStudio]:
    with ComputeStudio() as opened:
        yield opened


def given(buffer: Buffer, place: int) -> np.ndarray:
    """What the page fills an input with, by another hand: the generator of Numerical Recipes, its upper half."""
    values, state = [], place + 1
    for _ in range(buffer.count):
        state = (state * 1_664_525 + 1_013_904_223) % 2**32
        values.append((state // 2**16) % buffer.below)
    return np.array(values, dtype=np.int64)


def right(plan: Plan) -> np.ndarray:
    """By numpy, in 64-bit whole numbers."""
    assert plan.check
    one, *rest = [given(buffer, place) for place, buffer in enumerate(plan.buffers) if buffer.name in plan.check.inputs]
    if plan.check.what == "matrix product":
        size = int(len(one) ** 0.5)
        return (one.reshape(size, size) @ rest[0].reshape(size, size)).ravel()
    bins = next(buffer.below for buffer in plan.buffers if buffer.name in plan.check.inputs)
    return {"sum": lambda: one.sum(keepdims=True), "prefix sum": one.cumsum, "histogram": lambda: np.bincount(one, minlength=bins)}[
        plan.check.what
    ]()


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_lab_gives_what_is_recorded_and_what_numpy_says(source: Path, studio: ComputeStudio) -> None:
    recorded = parse_recording(recording_path(source).read_text())
    plan = read_plan(source.read_text())
    outcome = studio.compute(source.read_text(), plan)
    assert outcome["text"] == recorded.body
    assert outcome["values"] == right(plan).tolist()


def test_there_are_the_four_that_were_asked_for() -> None:
    checks = {plan.check.what for source in SOURCES if (plan := read_plan(source.read_text())).check}
    assert checks == {"sum", "prefix sum", "histogram", "matrix product"}


SOURCE = (ROOT / "snippets" / "reduction" / "workgroup_sum.wgsl").read_text()


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        ("part[t + half]", "part[t + half] + 1u", "total is .*, the CPU says 810865"),
        ("var sum = 0u", "var sum = 0.0", "line 29: "),
        ("fn final_sum", "fn last_sum", "final_sum"),
    ],
)
def test_what_is_wrong_is_not_recorded(text: str, other: str, said: str, studio: ComputeStudio, tmp_path: Path) -> None:
    assert text in SOURCE
    source = tmp_path / "lab.wgsl"
    source.write_text(SOURCE.replace(text, other))
    with pytest.raises(ComputeError, match=said):
        record_compute(source, read_plan(SOURCE), date(2026, 11, 30), studio)
