"""At both ends of every knob, recorded or not, a simulator answers, and its picture is whole."""

from __future__ import annotations

from itertools import islice, product

from gpubites.drawn_shapes import clipped
from gpubites.drawn_text import misplaced
from gpubites.frame import read_frame
from gpubites.library import Library
from models import simulator

MOST = 64  # settings of each


def test_the_ends_of_every_knob(library: Library) -> None:
    wrong = []
    for snippet in library.snippets.values():
        if not snippet.simulator:
            continue
        module = simulator(f"{snippet.slug}/{snippet.name}")
        ends = [dict.fromkeys((control.values[0], control.values[-1])) for control in snippet.simulator.controls]
        for values in islice(product(*ends), MOST):
            setting = dict(zip(snippet.simulator.defaults, values, strict=True))
            frame = read_frame(module.simulate(**setting))
            if said := misplaced(frame.svg) or clipped(frame.svg):
                wrong.append(f"{snippet.name} {setting}: {said}")
    assert wrong == []
