"""What the hub of labs is given: every simulator, shader demo and compute lab, with a picture and what it needs."""

from __future__ import annotations

from dataclasses import dataclass

from gpubites.bite import Bite, SnippetFence
from gpubites.library import Library
from gpubites.render.simulator import default_frame
from gpubites.render.snippet import poster_url
from gpubites.snippet import Snippet


@dataclass(frozen=True)
class LabView:
    """`url` leads to the lab in its bite. The picture is an SVG's text, the address of a poster
    (relative to the site's root), or what was printed."""

    title: str
    about: str
    level: str
    needs: str
    url: str
    svg: str
    poster: str
    output: str = ""


@dataclass(frozen=True)
class LabGroup:
    id: str
    name: str
    about: str
    labs: tuple[LabView, ...]


def lab_groups(library: Library) -> tuple[LabGroup, ...]:
    """The simulators, the shaders, the compute labs, each in the order of the map. A group without a lab is left out."""
    found = [(bite, fence, snippet) for bite in library.bites for fence in bite.fences if (snippet := library.snippet_of(bite, fence))]
    groups = (
        LabGroup(
            "simulators",
            "Simulators",
            "Predict, then turn one thing at a time. Recorded settings answer at once, offline too; Python is fetched only for others.",
            tuple(_simulator(bite, fence, snippet) for bite, fence, snippet in found if snippet.simulator),
        ),
        LabGroup(
            "shaders",
            "Shaders",
            "Programs that run on your graphics hardware, in the page. Change a line and see what it draws.",
            tuple(_shader(bite, fence, snippet) for bite, fence, snippet in found if snippet.kind == "shader"),
        ),
        LabGroup(
            "compute",
            "Compute on your GPU",
            "WGSL programs that WebGPU runs in the page, checked against the CPU. Where it is missing, the recorded result stands.",
            tuple(_compute(bite, fence, snippet) for bite, fence, snippet in found if snippet.plan),
        ),
    )
    return tuple(group for group in groups if group.labs)


def _simulator(bite: Bite, fence: SnippetFence, snippet: Snippet) -> LabView:
    assert snippet.simulator
    frame = default_frame(snippet)
    svg = frame.svg.replace("<svg", '<svg aria-hidden="true"', 1) if frame else ""
    rest = len(snippet.simulator.controls) - len(snippet.simulator.recorded)
    needs = (
        "Needs nothing; one control asks for Python"
        if rest == 1
        else "Needs nothing"
        if not rest
        else "Needs nothing; some controls ask for Python"
    )
    return LabView(bite.title, snippet.simulator.about, bite.level, needs, _url(bite, fence), svg, "")


def _shader(bite: Bite, fence: SnippetFence, snippet: Snippet) -> LabView:
    poster = poster_url(snippet) if snippet.poster else ""
    return LabView(
        bite.title, fence.option("alt") or f"What {snippet.name} draws", bite.level, "Needs WebGL 2", _url(bite, fence), "", poster
    )


def _compute(bite: Bite, fence: SnippetFence, snippet: Snippet) -> LabView:
    about = next(iter(snippet.text.split("\n"))).removeprefix("//").strip()
    output = snippet.recording.body if snippet.recording else ""
    return LabView(bite.title, about, bite.level, "Needs WebGPU", _url(bite, fence), "", "", output)


def _url(bite: Bite, fence: SnippetFence) -> str:
    return f"{bite.url}#{bite.anchor_of(fence.src, fence.part)}"
