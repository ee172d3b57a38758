"""What the page templates are given: bites, hubs and facts as plain values, addresses relative to the site's root."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from gpubites.bite import ANCHORS, Bite, Cited
from gpubites.facts import Fact
from gpubites.library import Library
from gpubites.notebook import Notebook
from gpubites.prose import FACT_LINK
from gpubites.terms import Term

RELATED = 3


@dataclass(frozen=True)
class Link:
    """`url` is None for a bite that is planned, not written."""

    title: str
    url: str | None


@dataclass(frozen=True)
class SectionView:
    id: str
    name: str
    url: str
    count: int


@dataclass(frozen=True)
class OutlineItem:
    id: str
    title: str


@dataclass(frozen=True)
class BiteView:
    """Everything a card, a hub row or the head of a page says about a bite."""

    slug: str
    title: str
    question: str
    kind: str
    level: str
    minutes: int
    section: SectionView
    roles: tuple[str, ...]
    prereqs: tuple[Link, ...]
    leads_to: tuple[Link, ...]
    related: tuple[Link, ...]
    next: Link | None
    sources: tuple[Cited, ...]
    checked_on: str
    checked_how: str
    outline: tuple[OutlineItem, ...]
    can_run: tuple[str, ...]
    url: str
    path: str


def bite_view(bite: Bite, library: Library) -> BiteView:
    """The view of one bite."""
    return BiteView(
        slug=bite.slug,
        title=bite.title,
        question=bite.question,
        kind=bite.kind,
        level=bite.level,
        minutes=bite.minutes,
        section=section_view(bite.section, library),
        roles=bite.roles,
        prereqs=tuple(_link(slug, library) for slug in bite.prereqs if slug in library.planned),
        leads_to=tuple(Link(other.title, other.url) for other in library.leads_to(bite.slug)),
        related=tuple(Link(other.title, other.url) for other in related(bite, library)),
        next=next_bite(bite, library),
        sources=bite.sources,
        checked_on=bite.checked_on,
        checked_how=bite.checked_how,
        outline=tuple(_outline(bite)),
        can_run=can_run(bite, library),
        url=bite.url,
        path=bite.path,
    )


def _link(slug: str, library: Library) -> Link:
    return Link(library.title_of(slug), library.by_slug[slug].url if slug in library.by_slug else None)


def _outline(bite: Bite) -> list[OutlineItem]:
    present = {ANCHORS[section.title]: section.title for section in bite.source.sections if section.title in ANCHORS}
    return [OutlineItem(anchor, present[anchor]) for anchor in bite.page_order]


def can_run(bite: Bite, library: Library) -> tuple[str, ...]:
    """The kinds of snippet that a reader can run in the page."""
    return tuple(dict.fromkeys(snippet.kind for snippet in library.snippets_of(bite) if snippet.runs_in_page))


def next_bite(bite: Bite, library: Library) -> Link | None:
    """The first written bite that builds on this one, else the next one of the map; the last leads to the first."""
    followers = library.leads_to(bite.slug)
    if followers:
        return Link(followers[0].title, followers[0].url)
    if len(library.bites) < 2:
        return None
    other = library.bites[(library.place[bite.slug] + 1) % len(library.bites)]
    return Link(other.title, other.url)


def related(bite: Bite, library: Library) -> list[Bite]:
    """Neighbors by shared prerequisites, section, roles and keywords; not those that are linked anyway."""
    linked = {bite.slug, *bite.prereqs, *(other.slug for other in library.leads_to(bite.slug))}
    following = next_bite(bite, library)
    prereqs, roles, keywords = set(bite.prereqs), set(bite.roles) - {"all"}, set(bite.keywords)

    def closeness(other: Bite) -> int:
        return (
            4 * len(prereqs.intersection(other.prereqs))
            + 3 * (bite.section == other.section)
            + len(roles.intersection(other.roles))
            + len(keywords.intersection(other.keywords))
        )

    others = [other for other in library.bites if other.slug not in linked and not (following and other.url == following.url)]
    scored = [(closeness(other), other) for other in others]
    # Sorting is stable, so that equally close ones stay in the map's order.
    ranked = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return [other for _, other in ranked[:RELATED]]


@dataclass(frozen=True)
class NotebookView:
    """A notebook and the bites that lead to it; `file` is its own address below the page, for the download."""

    notebook: Notebook
    file: str
    bites: tuple[Link, ...]


def notebook_view(notebook: Notebook, library: Library) -> NotebookView:
    bites = (bite for bite in library.bites if notebook.name in bite.notebooks)
    return NotebookView(notebook, f"{notebook.name}.ipynb", tuple(Link(bite.title, bite.url) for bite in bites))


def notebook_views(library: Library, section: str = "") -> tuple[NotebookView, ...]:
    """Every notebook, or those that a bite of the section leads to."""
    named = {name for bite in library.in_section(section) for name in bite.notebooks} if section else library.notebooks.keys()
    return tuple(notebook_view(notebook, library) for name, notebook in library.notebooks.items() if name in named)


@dataclass(frozen=True)
class HubView:
    """A list of bites: one section, or all."""

    title: str
    lead: str
    all: bool
    bites: tuple[BiteView, ...]
    sections: tuple[SectionView, ...]
    notebooks: tuple[NotebookView, ...]
    planned: tuple[str, ...]


@dataclass(frozen=True)
class HomeView:
    first: BiteView
    bites: tuple[BiteView, ...]
    sections: tuple[SectionView, ...]
    count: int
    runnable_count: int


# The one obvious first bite; where it is not written, the first of the map.
FIRST = "cpu-vs-gpu"


def section_view(section: str, library: Library) -> SectionView:
    return SectionView(section, library.sections.get(section, section), f"s/{section}/", len(library.in_section(section)))


def written_sections(library: Library) -> tuple[SectionView, ...]:
    """The sections that hold a bite, in the map's order."""
    views = (section_view(section, library) for section in library.sections)
    return tuple(view for view in views if view.count)


def hub_view(section: str, library: Library) -> HubView:
    """The hub of one section; of all bites for an empty name."""
    bites = library.in_section(section) if section else library.bites
    written = {bite.slug for bite in library.bites}
    planned = tuple(entry.title for entry in library.planned.values() if section and entry.section == section and entry.slug not in written)
    return HubView(
        title=library.sections[section] if section else "All bites",
        lead="",
        all=not section,
        bites=tuple(bite_view(bite, library) for bite in bites),
        sections=written_sections(library),
        notebooks=notebook_views(library, section),
        planned=planned,
    )


def home_view(library: Library) -> HomeView:
    """The home page of a library that holds at least one bite."""
    first = library.by_slug.get(FIRST) or library.bites[0]
    return HomeView(
        first=bite_view(first, library),
        bites=tuple(bite_view(bite, library) for bite in library.bites),
        sections=written_sections(library),
        count=len(library.bites),
        runnable_count=sum(bool(can_run(bite, library)) for bite in library.bites),
    )


@dataclass(frozen=True)
class FactView:
    """`conditions` are the words without which the number is no number: whose, per what, in which direction, how dense.
    `section` is that of the first bite that uses it."""

    fact: Fact
    conditions: tuple[str, ...]
    used_by: tuple[Link, ...]
    section: str


def fact_views(library: Library) -> tuple[FactView, ...]:
    """Every fact that is shown somewhere, or that a shown one is computed from, by id; with the bites that use it."""
    users: dict[str, list[Bite]] = {}
    for bite in library.bites:
        for fact_id in sorted(facts_used(bite, library)):
            users.setdefault(fact_id, []).append(bite)
    return tuple(
        FactView(
            fact=library.facts[fact_id],
            conditions=conditions(library.facts[fact_id]),
            used_by=tuple(Link(bite.title, bite.url) for bite in users[fact_id]),
            section=users[fact_id][0].section,
        )
        for fact_id in sorted(users)
    )


@dataclass(frozen=True)
class FactGroup:
    """Facts of one device or model, or of one section."""

    id: str
    name: str
    facts: tuple[FactView, ...]


# So many facts of one device or model stand under its name, fewer under their section's.
OWN_GROUP = 3
# `4 x H100 SXM5` is a system.
SEVERAL = re.compile(r"\d+ x ")


def fact_groups(library: Library) -> tuple[FactGroup, ...]:
    """Every shown fact once: devices and models in the order of the alphabet, then systems of several, then sections in the map's order."""
    views = fact_views(library)
    count = Counter(view.fact.device for view in views if view.fact.device)
    devices = sorted(
        (name for name, facts in count.items() if facts >= OWN_GROUP), key=lambda name: (bool(SEVERAL.match(name)), name.lower())
    )
    members: dict[str, list[FactView]] = {name: [] for name in (*devices, *library.sections.values())}
    for view in views:
        own = view.fact.device in devices
        members.setdefault(view.fact.device if own else library.sections.get(view.section, view.section), []).append(view)
    return tuple(
        FactGroup(f"of-{'-'.join(re.findall('[a-z0-9]+', name.lower()))}", name, tuple(facts)) for name, facts in members.items() if facts
    )


SCOPE_WORDS = {"gpu": "per GPU", "sm": "per SM", "api": "API", "software": "software", "format": "format"}


def conditions(fact: Fact) -> tuple[str, ...]:
    """`("H100 SXM", "per GPU", "one-way", "dense")`, as far as they say something."""
    words = (fact.device, SCOPE_WORDS.get(fact.scope, f"per {fact.scope}"), fact.direction, fact.density)
    return tuple(word for word in words if word and word != "none")


def facts_used(bite: Bite, library: Library) -> set[str]:
    """The facts a bite links, and the inputs of derived ones."""
    drawn = (text for question in bite.quiz for variant in question.variants for text in (variant.text, variant.why))
    found = {match["id"] for text in (bite.source.text, *drawn) for match in FACT_LINK.finditer(text)} & library.facts.keys()
    queue = list(found)
    while queue:
        for name in library.facts[queue.pop()].inputs:
            if name in library.facts and name not in found:
                found.add(name)
                queue.append(name)
    return found


@dataclass(frozen=True)
class TermView:
    term: Term
    bite: Link


def term_views(library: Library) -> tuple[TermView, ...]:
    """The terms in the order of the alphabet, each with its bite."""
    return tuple(
        TermView(term, _link(term.bite, library)) for term in sorted(library.terms, key=lambda term: (term.term.lower(), term.line))
    )


@dataclass(frozen=True)
class FreshnessView:
    """When a bite was checked, and the oldest of the facts it uses, as days; `oldest_fact` is empty where it uses none."""

    bite: Link
    section: SectionView
    checked_on: str
    checked_how: str
    facts: int
    oldest_fact: str

    @property
    def oldest(self) -> str:
        return min(self.checked_on, self.oldest_fact or self.checked_on)


def freshness_views(library: Library) -> tuple[FreshnessView, ...]:
    """Every bite, the one whose facts were checked longest ago first; of equal age in the map's order."""
    views = [_freshness(bite, library) for bite in library.bites]
    return tuple(sorted(views, key=lambda view: view.oldest))


def _freshness(bite: Bite, library: Library) -> FreshnessView:
    used = [library.facts[fact_id] for fact_id in facts_used(bite, library)]
    return FreshnessView(
        bite=Link(bite.title, bite.url),
        section=section_view(bite.section, library),
        checked_on=bite.checked_on,
        checked_how=bite.checked_how,
        facts=len(used),
        oldest_fact=min((fact.seen for fact in used if fact.seen), default=""),
    )
