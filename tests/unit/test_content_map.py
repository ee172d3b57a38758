"""The content map, and circles in prerequisites."""

from __future__ import annotations

import itertools

import pytest

from gpubites.content_map import circle, knotted, read_map
from gpubites.library import Library


def test_the_map_keeps_its_order(library: Library) -> None:
    read = read_map((library.root / "docs/map.yml").read_text(encoding="utf-8"))
    assert read.unreadable == read.wrong == ()
    assert list(read.planned)[:2] == ["cpu-vs-gpu", "why-gpus-train"]
    assert [bite.slug for bite in library.bites] == [slug for slug in read.planned if slug in library.by_slug]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "a mapping of `sections` and `bites`"),
        ("sections: {}\n", 1, "a mapping of `sections` and `bites`"),
        ("sections: {}\nbites: []\nmore: 1\n", 1, "and nothing else"),
        ("sections: [hw]\nbites: []\n", 1, "`sections` is a mapping"),
        ("sections: {hw: 1}\nbites: []\n", 1, "`sections` is a mapping"),
        ("sections: {}\nbites: {}\n", 2, "`bites` is a list"),
        ("sections: {}\nbites: [\n", 3, "not valid YAML"),
    ],
)
def test_a_map_that_cannot_be_read_says_where(text: str, line: int, message: str) -> None:
    (wrong,) = read_map(text).unreadable
    assert wrong.line == line
    assert message in wrong.message
    assert wrong.hint


def test_a_wrong_entry_is_kept_as_far_as_it_can_be_read() -> None:
    read = read_map("sections: {hw: Hardware}\nbites:\n- slug: warps\n  section: hw\n  roles: 3\n- just words\n- slug: warps\n")
    assert read.planned["warps"].section == "hw"
    assert read.planned["warps"].roles == ()
    said = {f"{wrong.line} {wrong.message}" for wrong in read.wrong}
    assert "5 `warps`: `roles` is a list of texts" in said
    assert "6 a planned bite is a mapping, not `just words`" in said
    assert "7 `warps` already stands in line 3" in said


def test_circles_are_found_wherever_they_are() -> None:
    names = "abcd"
    edges = [(one, two) for one in names for two in names]
    for chosen in itertools.combinations(edges, 3):
        prereqs = {name: tuple(two for one, two in chosen if one == name) for name in names}
        reaches = {name: set(prereqs[name]) for name in names}
        for _ in names:
            reaches = {name: reaches[name].union(*(reaches[other] for other in reaches[name])) for name in names}
        for name in names:
            found = circle(name, prereqs)
            assert bool(found) is (name in reaches[name])
            assert all(two in prereqs[one] for one, two in itertools.pairwise(found))
            assert not found or (found[0] == found[-1] == name and name in knotted(prereqs))
