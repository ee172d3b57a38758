"""The public API: `api/v1/bites.json` and one file per bite. Documented in docs/about/api.md."""

from __future__ import annotations

import json
from itertools import groupby

from gpubites.bite import SECTIONS, Bite, Question, parse_fence
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.rules.quiz import NUMBER
from gpubites.snippet import Snippet
from gpubites.source import Section, fenced_blocks

API_ROOT = "api/v1"


def api_files(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    listing = {"version": 1, "bites": [bite_summary(bite, library) for bite in library.bites]}
    files = {f"{API_ROOT}/bites.json": listing}
    for bite in library.bites:
        files[f"{API_ROOT}/bites/{bite.slug}.json"] = {"version": 1, **bite_summary(bite, library), **bite_parts(bite, library)}
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


def bite_parts(bite: Bite, library: Library) -> dict[str, object]:
    """What only the file of the bite has: the sections as text, and what programs need of them as values."""
    return {
        "sections": section_texts(bite, library),
        "questions": [_question(question) for question in bite.quiz],
        "red_flags": [{"says": plain(flag.said), "why": plain(flag.why)} for flag in bite.red_flags],
        "follow_ups": [{"probe": plain(follow_up.probe), "gist": plain(follow_up.gist)} for follow_up in bite.follow_ups],
        "rubric": [{"weight": point.weight, "point": plain(point.text)} for point in bite.rubric],
    }


def _snippet_entry(snippet: Snippet) -> dict[str, object]:
    # `gpu`: measured on one; compile facts alone do not count.
    return {"id": snippet.stem, "kind": snippet.kind, "recorded": snippet.fresh, "gpu": False}


def _notebooks(bite: Bite, library: Library) -> list[dict[str, object]]:
    return [{"id": notebook.name, "kind": "notebook", "recorded": notebook.fresh, "gpu": False} for notebook in library.notebooks_of(bite)]


def section_texts(bite: Bite, library: Library) -> list[dict[str, str]]:
    """The sections as plain text with their code, each with its anchor."""
    parts = ((anchor, bite.part(anchor)) for anchor in SECTIONS.values())
    return [{"id": anchor, "title": part.title, "text": _text(part, bite, library)} for anchor, part in parts if part]


def _text(section: Section, bite: Bite, library: Library) -> str:
    """Prose without its marks, code as it stands, a blank line between them."""
    lines = section.body.split("\n")
    block_at = {index: block for block in fenced_blocks(lines) for index in range(block.start, block.end + 1)}
    pieces = []
    for block, run in groupby(range(len(lines)), key=block_at.get):
        text = "\n".join(lines[index] for index in run)
        if block is None:
            pieces.append(plain(text))
            continue
        fence = parse_fence(block.info, 1)
        snippet = fence and library.snippet_of(bite, fence)
        shown = snippet.part(fence.part) if fence and snippet else None
        code = [line.removeprefix(" " * block.indent) for line in lines[block.start + 1 : block.end + (not block.closed)]]
        pieces.append(shown.text.rstrip("\n") if shown else "\n".join(code))
    return "\n\n".join(piece for piece in pieces if piece.strip())


def _question(question: Question) -> dict[str, object]:
    head: dict[str, object] = {"id": question.id, "kind": question.kind, "question": plain(question.text)}
    if question.recorded:
        head |= {"snippet": question.recorded.src, "code": question.recorded.shown}
    if question.recorded and not question.answers:
        tolerance, unit = _number(question.option("tolerance", "0")), question.option("unit")
        return {**head, "output": question.recorded.answer, "tolerance": tolerance, "unit": unit, "why": plain(question.why)}
    if not question.numeric:
        answers = [{"text": plain(answer.text), "right": answer.right, "why": plain(answer.why)} for answer in question.answers]
        return {**head, "answers": answers}
    number = question.numeric
    return {**head, "value": _number(number.value), "tolerance": _number(number.tolerance), "unit": number.unit, "why": plain(question.why)}


def _number(typed: str) -> float | None:
    """None for what is no number, which is a problem of the bite (B035)."""
    return float(typed) if NUMBER.fullmatch(typed) else None
