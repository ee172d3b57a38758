"""What the note at a term says: one file with every term, fetched when a reader first asks for one."""

from __future__ import annotations

import json

from gpubites.library import Library
from gpubites.render.view import TermView, term_views

TERMS_FILE = "terms.json"


def terms_file(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    terms = {view.term.id: _entry(view) for view in term_views(library)}
    return {TERMS_FILE: json.dumps({"version": 1, "terms": terms}, ensure_ascii=False, separators=(",", ":"))}


def _entry(view: TermView) -> dict[str, object]:
    """`bite` is the title and the address below the site's root, null for a planned bite."""
    return {"term": view.term.term, "means": view.term.means, "bite": [view.bite.title, view.bite.url], "says": view.term.says}
