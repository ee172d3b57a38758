"""A simulator as a figure: one recorded frame that reads without JavaScript, and all that its controls are built from."""

from __future__ import annotations

from html import escape
from typing import Any

from gpubites.frame import Frame
from gpubites.render.code import code_block
from gpubites.render.html import json_in_html, kept_under
from gpubites.simulator import Simulator, Value
from gpubites.snippet import Snippet


def simulator_content(snippet: Snippet) -> str:
    """What stands below the bar of the figure."""
    simulator = snippet.simulator
    assert simulator, "only a simulator is rendered here"
    shown = default_frame(snippet)
    code = code_block(snippet.clean_text, "python", f"Source of {snippet.name}")
    return (
        f'<sim-lab {kept_under(snippet)} data-frames="{frames_url(snippet)}">'
        f'<p class="lab-about">{escape(simulator.about)}</p>'
        f'<div class="lab-predict"></div>'
        f'<div class="frame-controls lab-controls"><p class="lab-setting">{escape(_setting(simulator))}</p></div>'
        f"{frame_html(shown, snippet.name) if shown else '<p>Not recorded yet.</p>'}"
        f'<p class="lab-left-out"><strong>Left out:</strong> {escape(simulator.left_out)}</p>'
        f'<details class="frame-whole lab-code"><summary>The model in Python</summary>'
        f'<div class="frame-source highlight">{code}</div></details>'
        f'<script type="application/json" class="lab-data">{json_in_html(lab_data(simulator, shown is not None))}</script></sim-lab>'
    )


def default_frame(snippet: Snippet) -> Frame | None:
    """The recorded frame at the defaults; None where nothing is recorded."""
    simulator = snippet.simulator
    return snippet.frames[simulator.place(simulator.defaults)] if simulator and snippet.frames else None


def frame_html(frame: Frame, name: str) -> str:
    """Picture, sentence and table. The page replaces the three together."""
    return f'<div class="lab-picture">{picture(frame)}</div><p class="lab-says">{escape(frame.says)}</p>{_table(frame, name)}'


def picture(frame: Frame) -> str:
    """The drawing, which the sentence names for those who cannot see it."""
    return frame.svg.replace("<svg", f'<svg role="img" aria-label="{escape(frame.says)}"', 1)


def frames_url(snippet: Snippet) -> str:
    """Relative to the site's root."""
    return f"assets/labs/{snippet.slug}-{snippet.stem}.frames"


def lab_data(simulator: Simulator, has_frames: bool) -> dict[str, Any]:
    """What the element knows of the simulator, as the names in web/core/lab.js."""
    asked = simulator.prediction
    return {
        "controls": [control.data for control in simulator.controls],
        "recorded": len(simulator.recorded) if has_frames else 0,
        "predict": {"ask": asked.ask, "at": asked.at, "unit": asked.unit, "one": asked.one, "choices": asked.choices} if asked else None,
    }


def _setting(simulator: Simulator) -> str:
    """`From one lane's word to the next: 32 words. Each lane loads: float.` Read where there are no controls."""
    return " ".join(
        f"{control.label}: {f'{_said(control.default)} {control.one if control.default == 1 else control.unit}'.strip()}."
        for control in simulator.controls
    )


def _said(value: Value) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else str(value)


def _table(frame: Frame, name: str) -> str:
    head, *rows = frame.table
    columns = "".join(f'<th scope="col">{escape(str(cell))}</th>' if cell != "" else "<td></td>" for cell in head)
    body = "".join(
        f'<tr><th scope="row">{_cell(first)}</th>{"".join(f"<td>{_cell(cell)}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    return (
        '<details class="lab-numbers"><summary>The numbers as a table</summary>'
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="The numbers of {escape(name)}">'
        f"<table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def _cell(cell: object) -> str:
    return escape(f"{cell:,}" if isinstance(cell, int) else str(cell))
