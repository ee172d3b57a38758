"""The program that docs/about/cuda.md shows says what the page says it says, and its cure cures it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpubites.__main__ import main
from gpubites.cudahost.findings import _WORDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "about" / "cuda.md").read_text()


def test_the_page_shows_what_the_host_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = re.search(r"```cuda\n(.*?)```", PAGE, re.DOTALL)
    shown = re.search(r"```\n\$ python -m gpubites cuda run sum\.cu\n(.*?)```", PAGE, re.DOTALL)
    assert program and shown
    source = tmp_path / "sum.cu"
    source.write_text(program[1])
    assert main(["cuda", "run", str(source)]) == 1
    assert capsys.readouterr().out == shown[1]

    cured = re.sub(r"(\n +)(if \(t < step\).*)", r"\1{ \2 __syncthreads(); }", program[1])
    assert cured != program[1]
    source.write_text(cured)
    assert main(["cuda", "run", str(source)]) == 0


def test_the_page_lists_every_kind() -> None:
    for kind in [*_WORDS, "missing-syncwarp", "program-failed", "not-covered", "does-not-compile", "unusable"]:
        assert f"`{kind}`" in PAGE, kind
