"""What studying needs to know of every bite: one file, fetched when a study page is opened, and kept offline."""

from __future__ import annotations

import json

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.prose import plain

STUDY_PATH = "study.json"


def study_file(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text: the bites in the map's order, the sections by id."""
    listing = {
        "version": 1,
        "sections": {name: title for name, title in library.sections.items() if library.in_section(name)},
        "bites": [study_entry(bite, library) for bite in library.bites],
    }
    return {STUDY_PATH: json.dumps(listing, ensure_ascii=False, separators=(",", ":"))}


def study_entry(bite: Bite, library: Library) -> dict[str, object]:
    """One bite with its questions. Prerequisites that are not written yet can stop nobody, so they are left out."""
    return {
        "slug": bite.slug,
        "title": bite.title,
        "question": bite.question,
        "kind": bite.kind,
        "level": bite.level,
        "section": bite.section,
        "roles": list(bite.roles),
        "prereqs": [slug for slug in bite.prereqs if slug in library.by_slug],
        "aliases": list(bite.aliases),
        "url": bite.url,
        "minutes": bite.minutes,
        "questions": [{"id": question.id, "kind": question.kind, "text": plain(question.text)} for question in bite.quiz],
    }
