"""What the note at a number says: one file with every fact that a bite shows, fetched when a reader first asks for one."""

from __future__ import annotations

import json

from gpubites.facts import Fact
from gpubites.library import Library
from gpubites.render.view import fact_views

FACTS_PATH = "facts.json"


def facts_file(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    facts = {view.fact.id: {"conditions": view.conditions, **_entry(view.fact, library)} for view in fact_views(library)}
    return {FACTS_PATH: json.dumps({"version": 1, "facts": facts}, ensure_ascii=False, separators=(",", ":"))}


def _entry(fact: Fact, library: Library) -> dict[str, object]:
    """A fact that was read has `source`, `seen` and `status`; a derived one has `formula` and `inputs`."""
    entry: dict[str, object] = {"text": fact.text, "what": fact.what}
    if fact.formula:
        names = dict.fromkeys(name for name in fact.inputs if name in library.facts)
        return entry | {"formula": fact.formula, "inputs": [[name, library.facts[name].text] for name in names]}
    return entry | {"source": [fact.source_title, fact.source_url], "seen": fact.seen, "status": fact.status}
