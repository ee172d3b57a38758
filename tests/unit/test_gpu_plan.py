"""What the `// gpu:` lines of an example say about its measurement."""

from __future__ import annotations

import pytest

from gpubites.gpu.plan import Work, gpu_plan


def test_a_source_without_a_line_is_not_measured() -> None:
    assert gpu_plan("int main() {}\n") is None


def test_work_is_counted_at_the_measured_size() -> None:
    plan = gpu_plan("// gpu: scale=4 bytes=3*4*(128*SCALE)**2 flops=2*(128*SCALE)**3\n")
    assert plan and plan.scale == 4
    assert plan.work_of("tiled<32>") == Work(12 * 512**2, 2 * 512**3)


def test_a_line_can_speak_of_one_kernel() -> None:
    plan = gpu_plan("// gpu: kernel=gather scale=2 bytes=12*SCALE\n// gpu: scale=2 bytes=8*SCALE\n")
    assert plan
    assert (plan.work_of("gather").bytes, plan.work_of("copy<1>").bytes) == (24, 16)


@pytest.mark.parametrize(
    "line",
    ["bytes=8", "scale=two bytes=8", "scale=2 bites=8", "scale=2 bytes=8*N", "scale=2 bytes=8/3", "scale=2 bytes=8*", "scale=0 bytes=1"],
)
def test_another_form_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"gpu:|holds something|no sum|same scale"):
        gpu_plan(f"// gpu: {line}\n")


def test_two_scales_are_refused() -> None:
    with pytest.raises(ValueError, match="same scale"):
        gpu_plan("// gpu: kernel=a scale=2 bytes=1\n// gpu: kernel=b scale=3 bytes=1\n")
