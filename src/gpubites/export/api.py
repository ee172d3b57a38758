"""The public API: `api/v1/bites.json` and one file per bite. Documented in docs/about/api.md."""

from __future__ import annotations

import json

from gpubites.bite import SECTIONS, Bite
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.snippet import Snippet

API_ROOT = "api/v1"


def api_files(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    listing = {"version": 1, "bites": [bite_summary(bite, library) for bite in library.bites]}
    files = {f"{API_ROOT}/bites.json": listing}
    for bite in library.bites:
        whole = {"version": 1, **bite_summary(bite, library), "sections": section_texts(bite)}
        files[f"{API_ROOT}/bites/{bite.slug}.json"] = whole
    return {path: json.dumps(data, ensure_ascii=False, indent=1) for path, data in files.items()}


def bite_summary(bite: Bite, library: Library) -> dict[str, object]:
    """The entry of a bite in the list; addresses are relative to the site's root."""
    return {
        "slug": bite.slug,
        "title": bite.title,
        "question": bite.question,
        "kind": bite.kind,
        "level": bite.level,
        "section": bite.section,
        "roles": list(bite.roles),
        "prereqs": list(bite.prereqs),
        "aliases": list(bite.aliases),
        "keywords": list(bite.keywords),
        "url": bite.url,
        "checked": bite.checked_on,
        "words": {"explainer": bite.words("explainer"), "model_answer": bite.words("model-answer")},
        "quiz": len(bite.quiz),
        "snippets": [_snippet_entry(snippet) for snippet in library.snippets_of(bite)] + _notebooks(bite, library),
        "sources": len(bite.sources),
    }


def _snippet_entry(snippet: Snippet) -> dict[str, object]:
    # `gpu`: measured on one; compile facts alone do not count.
    return {"id": snippet.stem, "kind": snippet.kind, "recorded": snippet.fresh, "gpu": False}


def _notebooks(bite: Bite, library: Library) -> list[dict[str, object]]:
    return [{"id": notebook.name, "kind": "notebook", "recorded": notebook.fresh, "gpu": False} for notebook in library.notebooks_of(bite)]


def section_texts(bite: Bite) -> list[dict[str, str]]:
    """The sections as plain text, each with its anchor."""
    return [{"id": anchor, "title": part.title, "text": plain(part.body)} for anchor in SECTIONS.values() if (part := bite.part(anchor))]
