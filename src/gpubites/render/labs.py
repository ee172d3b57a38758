"""What the hub of labs is given: every simulator and every shader demo, with a picture and what it needs."""

from __future__ import annotations

from dataclasses import dataclass

from gpubites.bite import Bite, SnippetFence
from gpubites.library import Library
from gpubites.render.simulator import default_frame
from gpubites.render.snippet import poster_url
from gpubites.snippet import Snippet


@dataclass(frozen=True)
class LabView:
    """`url` leads to the lab in its bite. The picture is an SVG's text or the address of a poster, relative to the site's root."""

    title: str
    about: str
    level: str
    needs: str
    url: str
    svg: str
    poster: str


@dataclass(frozen=True)
class LabGroup:
    id: str
    name: str
    about: str
    labs: tuple[LabView, ...]


def lab_groups(library: Library) -> tuple[LabGroup, ...]:
    """The simulators, then the shaders, each in the order of the map. A group without a lab is left out."""
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


def _url(bite: Bite, fence: SnippetFence) -> str:
    return f"{bite.url}#{bite.anchor_of(fence.src, fence.part)}"
