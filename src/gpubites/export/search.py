"""The documents the search box looks in: one per bite, fetched when the box is opened."""

from __future__ import annotations

import json

from gpubites.bite import SECTIONS, Bite
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.view import can_run

SEARCH_PATH = "search.json"


def search_file(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    documents = [search_document(bite, library) for bite in library.bites]
    return {SEARCH_PATH: json.dumps({"version": 1, "bites": documents}, ensure_ascii=False, separators=(",", ":"))}


def search_document(bite: Bite, library: Library) -> dict[str, object]:
    """What is indexed and what a result shows."""
    return {
        "slug": bite.slug,
        "title": bite.title,
        "question": bite.question,
        "keywords": list(bite.keywords),
        "level": bite.level,
        "kind": bite.kind,
        "section": bite.section,
        "sectionName": library.sections.get(bite.section, bite.section),
        "roles": list(bite.roles),
        "run": bool(can_run(bite, library)),
        "url": bite.url,
        "text": " ".join(" ".join(plain(part.body).split()) for anchor in SECTIONS.values() if (part := bite.part(anchor))),
    }
