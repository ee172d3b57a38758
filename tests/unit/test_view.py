"""What templates are given: next, related, what a bite leads to, hubs and facts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpubites.bite import SECTIONS, parse_bite
from gpubites.content_map import Planned
from gpubites.library import Library
from gpubites.render.view import Link, bite_view, fact_groups, fact_views, home_view, hub_view, next_bite, related, written_sections
from gpubites.source import read_source


def library_of(good: Library, *bites: tuple[str, str]) -> Library:
    """A library of bites given as slug and front matter, in this order, in sections a and b; `ghost` is planned, not written."""
    planned = {slug: Planned(slug, f"Topic of {slug}", "a", "question", "beginner", (), (), 1) for slug in [*dict(bites), "ghost"]}
    return replace(
        good,
        root=Path("/nowhere"),
        sections={"a": "Section A", "b": "Section B"},
        planned=planned,
        bites=tuple(
            parse_bite(read_source(f"docs/bites/a/{slug}.md", f"---\ntitle: {slug.title()}\n{front}\n---\n")) for slug, front in bites
        ),
        snippets={},
        notebooks={},
    )


@pytest.fixture
def four(good: Library) -> Library:
    return library_of(
        good,
        ("one", "section: a\nprereqs: []\nroles: [kernel]\nkeywords: [x, y]"),
        ("two", "section: a\nprereqs: [one, ghost]\nroles: [all]\nkeywords: [x]"),
        ("three", "section: b\nprereqs: [one]\nroles: [kernel]\nkeywords: [z]"),
        ("four", "section: b\nprereqs: [two, ghost]\nroles: [infra]\nkeywords: [w]"),
    )


def test_the_next_bite_is_the_first_that_builds_on_this_one(four: Library) -> None:
    assert next_bite(four.by_slug["one"], four) == Link("Two", "b/two/")
    assert next_bite(four.by_slug["two"], four) == Link("Four", "b/four/")


def test_where_nothing_builds_on_it_the_next_of_the_map_follows(four: Library) -> None:
    assert next_bite(four.by_slug["three"], four) == Link("Four", "b/four/")


def test_the_last_bite_leads_to_the_first(four: Library) -> None:
    assert next_bite(four.by_slug["four"], four) == Link("One", "b/one/")


def test_a_lone_bite_has_no_next(good: Library) -> None:
    lone = library_of(good, ("one", "section: a"))
    assert next_bite(lone.bites[0], lone) is None
    assert related(lone.bites[0], lone) == []


def test_next_leads_through_every_bite_of_the_library(library: Library) -> None:
    for bite in library.bites:
        following = next_bite(bite, library)
        assert following
        assert following.url != bite.url


def test_a_bite_leads_to_those_that_name_it(four: Library) -> None:
    assert bite_view(four.by_slug["one"], four).leads_to == (Link("Two", "b/two/"), Link("Three", "b/three/"))
    assert bite_view(four.by_slug["four"], four).leads_to == ()


def test_a_prerequisite_that_is_not_written_has_a_title_and_no_address(four: Library) -> None:
    assert bite_view(four.by_slug["two"], four).prereqs == (Link("One", "b/one/"), Link("Topic of ghost", None))


def test_related_bites_are_close_and_not_linked_anyway(four: Library) -> None:
    # two: builds on one, is followed by four, so that only three is left; they share the prerequisite `one`.
    assert [bite.slug for bite in related(four.by_slug["two"], four)] == ["three"]
    # four: follows two; next is one. Three shares its section.
    assert [bite.slug for bite in related(four.by_slug["four"], four)] == ["three"]


def test_the_closest_comes_first_and_three_are_enough(good: Library) -> None:
    many = library_of(
        good,
        ("home", "section: a\nprereqs: [ghost]\nroles: [kernel]\nkeywords: [x, y]"),
        ("next", "section: b"),
        ("far", "section: b\nkeywords: [q]"),
        ("word", "section: b\nkeywords: [x]"),
        ("neighbor", "section: a"),
        ("sibling", "section: b\nprereqs: [ghost]"),
        ("twin", "section: a\nprereqs: [ghost]\nroles: [kernel]"),
    )
    assert [bite.slug for bite in related(many.by_slug["home"], many)] == ["twin", "sibling", "neighbor"]


def test_hubs_list_the_bites_of_their_section_and_what_is_planned(four: Library) -> None:
    hub = hub_view("a", four)
    assert (hub.title, [bite.slug for bite in hub.bites], hub.planned) == ("Section A", ["one", "two"], ("Topic of ghost",))
    everything = hub_view("", four)
    assert everything.all
    assert [bite.slug for bite in everything.bites] == ["one", "two", "three", "four"]
    assert [(section.id, section.count, section.url) for section in written_sections(four)] == [("a", 2, "s/a/"), ("b", 2, "s/b/")]


def test_home_offers_one_first_bite(four: Library, library: Library) -> None:
    assert home_view(four).first.slug == "one"
    assert home_view(library).first.slug == "cpu-vs-gpu"


def test_the_view_of_the_good_bite(good: Library) -> None:
    view = bite_view(good.by_slug["coalescing"], good)
    assert view.can_run == ("python", "shader")
    assert {item.id for item in view.outline} == set(SECTIONS.values())
    assert view.section.name == "Memory"
    assert view.minutes >= 2


def test_a_fact_is_listed_with_its_users_and_so_are_its_inputs(good: Library) -> None:
    views = {view.fact.id: view.used_by for view in fact_views(good)}
    coalescing = (Link("Coalescing: how many sectors a warp touches", "b/coalescing/"),)
    assert views == {"h100-memory-rate": coalescing, "transaction": coalescing, "wasted-rate": coalescing}


def test_every_shown_fact_stands_in_one_group(library: Library) -> None:
    groups = fact_groups(library)
    grouped = [view.fact.id for group in groups for view in group.facts]
    assert sorted(grouped) == [view.fact.id for view in fact_views(library)]
    assert len({group.id for group in groups}) == len(groups)
    for group in groups:
        devices = {view.fact.device for view in group.facts}
        assert devices == {group.name} or group.name in library.sections.values()
    several = [" x " in group.name for group in groups if group.name not in library.sections.values()]
    assert several == sorted(several), "4 x H100 SXM5 stands after H100 SXM5, and after all that are one"
    assert any(several)
