"""The hub of labs: what it lists, and where each entry leads."""

from __future__ import annotations

from dataclasses import replace

from gpubites.library import Library
from gpubites.render.labs import lab_groups


def test_every_lab_is_listed_with_its_picture_and_its_place(good: Library) -> None:
    simulators, shaders, compute = lab_groups(good)
    assert [(lab.title, lab.url, lab.level, lab.needs) for lab in simulators.labs] == [
        (good.by_slug["warps"].title, "b/warps/#snippet-idle_lab", "beginner", "Needs nothing")
    ]
    assert simulators.labs[0].svg.startswith('<svg aria-hidden="true"')
    assert [(lab.url, lab.poster, lab.needs) for lab in shaders.labs] == [
        ("b/coalescing/#snippet-stripes", "assets/posters/coalescing-stripes.webp", "Needs WebGL 2")
    ]
    [lab] = compute.labs
    assert (lab.about, lab.url, lab.needs) == ("One sum.", "b/warps/#snippet-one_sum", "Needs WebGPU")
    assert lab.output.startswith("add_up: 1 workgroup\n")


def test_a_library_without_labs_has_no_groups(good: Library) -> None:
    assert lab_groups(replace(good, bites=())) == ()


def test_every_lab_of_the_library_is_listed(library: Library) -> None:
    listed = {lab.url for group in lab_groups(library) for lab in group.labs}
    kinds = ("simulator", "shader", "webgpu")
    assert {f"b/{snippet.slug}/#snippet-{snippet.stem}" for snippet in library.snippets.values() if snippet.kind in kinds} == listed
