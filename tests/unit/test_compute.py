"""What a compute lab's comments are read as, and what is told about those that do not hold together."""

from __future__ import annotations

import pytest

from gpubites.compute import Buffer, Check, Pass, read_plan

LAB = """\
// A product.
// input left: 16 f32 below 10
// input right: 16 f32 below 10
// scratch spare: 4 u32
// output product: 16 f32
// pass clear: 1 workgroup
// pass multiply: 2 x 2 workgroups
// check product: matrix product of left and right
@group(0) @binding(0) var<storage, read> left: array<f32>;
@group(0) @binding(1) var<storage, read> right: array<f32>;
@group(0) @binding(2) var<storage, read_write> spare: array<u32>;
@group(0) @binding(3) var<storage, read_write> product: array<f32>;
fn clear() {}
fn multiply() {}
"""


def test_the_comments_are_read() -> None:
    plan = read_plan(LAB)
    assert plan.wrong == ()
    assert plan.buffers == (
        Buffer("input", "left", 16, "f32", 10),
        Buffer("input", "right", 16, "f32", 10),
        Buffer("scratch", "spare", 4, "u32", 0),
        Buffer("output", "product", 16, "f32", 0),
    )
    assert plan.passes == (Pass("clear", (1, 1)), Pass("multiply", (2, 2)))
    assert plan.check == Check("product", "matrix product", ("left", "right"))


@pytest.mark.parametrize(
    ("good", "bad", "line", "said"),
    [
        ("// scratch spare: 4 u32", "// scratch spare: 4 u32 below 3", 4, "scratch begins as zeros"),
        ("// scratch spare: 4 u32", "// scratch left: 4 u32", 4, "two buffers `left`"),
        ("// output product", "// scratch product", 1, "0 outputs"),
        ("// pass clear: 1 workgroup\n// pass multiply: 2 x 2 workgroups\n", "", 1, "no pass"),
        ("// pass clear: 1 workgroup", "// pass clear: 70000 workgroups", 6, "at most 65535"),
        ("// pass clear: 1 workgroup", "// pass clear: none", 6, "another form"),
        ("// check product: matrix product of left and right\n", "", 1, "nothing says what is right"),
        ("// check product: matrix product of left and right", "// check product: sum of left", 8, "16 values, a sum has 1"),
        ("// check product: matrix product of left and right", "// check product: matrix product of left", 8, "of 2 inputs"),
        ("// check product: matrix product of left and right", "// check spare: sum of left", 8, "`spare` is no output"),
        ("// check product: matrix product of left and right", "// check product: sum of spare", 8, "`spare` is no input"),
        ("16 f32 below 10\n// scratch", "15 f32 below 10\n// scratch", 8, "two square matrices"),
        ("below 10\n// input", "below 1000000\n// input", 8, "does not hold every matrix product"),
        ("var<storage, read> left", "var<storage, read_write> left", 2, "not declared at its binding"),
        ("16 f32 below 10\n// input", "5000000 f32 below 10\n// input", 2, "at most 4194304"),
    ],
)
def test_what_does_not_hold_together_is_told_with_its_line(good: str, bad: str, line: int, said: str) -> None:
    assert LAB.count(good) == 1
    wrong = read_plan(LAB.replace(good, bad)).wrong
    assert any(found.line == line and said in found.message for found in wrong), wrong
    assert all(found.hint for found in wrong)


def test_all_problems_are_told_at_once() -> None:
    wrong = read_plan("// input a: 4 u8\n// output b: none\n// pass c\n").wrong
    assert [found.line for found in wrong] == [1, 2, 3]
