"""The layout of the knowledge map."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from gpubites.library import Library
from gpubites.render.knowledge_map import MapView, Node, box_lines, depths, map_view, prerequisites


@pytest.fixture(scope="module")
def whole(library: Library) -> MapView:
    return map_view(library)


def nodes_of(view: MapView) -> list[Node]:
    return [node for lane in view.lanes for node in lane.nodes]


def test_every_bite_stands_on_the_map_once(library: Library, whole: MapView) -> None:
    assert sorted(node.slug for node in nodes_of(whole)) == sorted({*library.planned, *library.by_slug})
    assert {node.slug for node in nodes_of(whole) if node.url} == set(library.by_slug)


def test_a_prerequisite_stands_left_of_what_builds_on_it(whole: MapView) -> None:
    left = {node.slug: node.x for node in nodes_of(whole)}
    assert len(whole.edges) == sum(len(node.prereqs) for node in nodes_of(whole)) > 100
    assert all(left[edge.start] < left[edge.end] for edge in whole.edges)


def test_no_box_lies_on_another_or_outside(whole: MapView) -> None:
    for one, other in combinations(nodes_of(whole), 2):
        apart = abs(one.x - other.x) >= whole.node_width or abs(one.y - other.y) >= whole.node_height
        assert apart, f"{one.slug} lies on {other.slug}"
    for lane in whole.lanes:
        for node in lane.nodes:
            assert lane.y < node.y and node.y + whole.node_height <= lane.y + lane.height
            assert node.x >= 0 and node.x + whole.node_width <= whole.width


def test_the_list_says_what_the_picture_shows(good: Library) -> None:
    coalescing = next(node for node in nodes_of(map_view(good)) if node.slug == "coalescing")
    assert [link.url for link in coalescing.builds_on] == ["b/warps/"]
    assert [(link.title, link.url) for link in coalescing.leads_to if not link.url] == [("Data layout", None)]


def test_a_written_bite_says_itself_what_it_builds_on(good: Library) -> None:
    changed = tuple(replace(bite, prereqs=()) if bite.slug == "coalescing" else bite for bite in good.bites)
    assert prerequisites(good)["coalescing"] == ("warps",)
    assert prerequisites(replace(good, bites=changed))["coalescing"] == ()


def test_depth_is_the_longest_way() -> None:
    assert depths({"d": ("a", "c"), "c": ("b",), "b": ("a",), "a": ()}) == {"a": 0, "b": 1, "c": 2, "d": 3}


def test_prerequisites_in_a_circle_are_drawn_all_the_same() -> None:
    assert set(depths({"a": ("b",), "b": ("a",), "c": ("b",)})) == {"a", "b", "c"}


def test_a_title_fits_its_box() -> None:
    assert box_lines("Coalescing: how many sectors") == ("Coalescing",)
    assert box_lines("Meeting an inference latency target") == ("Meeting an inference", "latency target")
    long = box_lines("A title that goes on for much longer than two short lines can hold")
    assert len(long) == 2 and long[1].endswith("…") and all(len(line) <= 25 for line in long)
