"""The library: every bite, snippet and fact, linked. The one place that reads the project's files."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from gpubites.bite import Bite, SnippetFence, parse_bite
from gpubites.content_map import ContentMap, Planned, read_map
from gpubites.facts import Fact, evaluate, read_facts
from gpubites.notebook import Notebook, read_notebooks
from gpubites.problem import Problem, Wrong
from gpubites.rules_of_thumb import RULE_OF_THUMB_ENTRY, RULES_OF_THUMB_PATH, RuleOfThumb, read_rules_of_thumb
from gpubites.settled import settled
from gpubites.snippet import Snippet, read_snippets
from gpubites.source import read_source
from gpubites.synonyms import SYNONYM_ENTRY, SYNONYMS_PATH, Synonym, read_synonyms
from gpubites.terms import TERMS_PATH, Term, read_terms
from gpubites.text_file import read_text_file

Entry = TypeVar("Entry")

FORMULA = "numbers, ids of other facts, + - * / ** and min, max, ceil, floor"


@dataclass(frozen=True)
class Library:
    """`planned` is in the map's order, which is the order of every list on the site.

    `errors` are what reading the files found, each under the code of its rule; `stray` are files that nothing reads. `today`
    is what no day of the project may lie behind.
    """

    root: Path
    sections: dict[str, str]
    planned: dict[str, Planned]
    bites: tuple[Bite, ...]
    facts: dict[str, Fact]
    all_facts: tuple[Fact, ...]
    snippets: dict[str, Snippet]
    notebooks: dict[str, Notebook]
    figures: dict[str, str]
    terms: tuple[Term, ...]
    synonyms: tuple[Synonym, ...]
    rules_of_thumb: tuple[RuleOfThumb, ...]
    errors: tuple[Problem, ...]
    stray: tuple[str, ...]
    today: date

    def errors_of(self, code: str) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.errors if problem.code == code)

    @cached_property
    def by_slug(self) -> dict[str, Bite]:
        return {bite.slug: bite for bite in self.bites}

    @cached_property
    def by_path(self) -> dict[str, Bite]:
        """By path relative to the project's root: `docs/bites/mem/coalescing.md`."""
        return {bite.path: bite for bite in self.bites}

    @cached_property
    def place(self) -> dict[str, int]:
        """Slug → place among the written bites."""
        return {bite.slug: index for index, bite in enumerate(self.bites)}

    @cached_property
    def followers(self) -> dict[str, tuple[Bite, ...]]:
        """Slug → the written bites that name it as a prerequisite."""
        found: dict[str, list[Bite]] = {}
        for bite in self.bites:
            for slug in dict.fromkeys(bite.prereqs):
                found.setdefault(slug, []).append(bite)
        return {slug: tuple(bites) for slug, bites in found.items()}

    def knows(self, slug: str) -> bool:
        """Is it a bite, written or planned? Where the map cannot be read, every slug is given the benefit of the doubt."""
        return slug in self.planned or slug in self.by_slug or bool(self.errors_of("P001"))

    def in_section(self, section: str) -> tuple[Bite, ...]:
        return tuple(bite for bite in self.bites if bite.section == section)

    def title_of(self, slug: str) -> str:
        """A written bite's own title, else the map's topic, else the slug."""
        if slug in self.by_slug:
            return self.by_slug[slug].title
        return self.planned[slug].title if slug in self.planned else slug

    def snippet_of(self, bite: Bite, fence: SnippetFence) -> Snippet | None:
        return self.snippets.get(f"snippets/{bite.slug}/{fence.src}")

    def snippets_of(self, bite: Bite) -> tuple[Snippet, ...]:
        """The snippets a bite shows, each once, in the order of the page."""
        found = [self.snippet_of(bite, fence) for fence in bite.fences]
        return tuple({snippet.path: snippet for snippet in found if snippet}.values())

    def notebooks_of(self, bite: Bite) -> tuple[Notebook, ...]:
        """The notebooks a bite links."""
        return tuple(self.notebooks[name] for name in bite.notebooks if name in self.notebooks)

    def leads_to(self, slug: str) -> tuple[Bite, ...]:
        return self.followers.get(slug, ())


@dataclass
class Files:
    """Reads the project's text files, and keeps what is wrong with their bytes."""

    root: Path
    errors: list[Problem] = field(default_factory=list)

    def name(self, path: Path) -> str:
        """The path relative to the project's root, as problems show it."""
        return path.relative_to(self.root).as_posix()

    def text(self, path: Path) -> str:
        file = read_text_file(path)
        self.note(self.name(path), "F001", file.wrong)
        return file.text

    def note(self, path: str, code: str, wrong: Iterable[Wrong]) -> None:
        self.errors += [Problem(path, line, code, message, hint) for line, message, hint in wrong]


def load_library(root: Path, today: date | None = None) -> Library:
    """Read the whole project under `root`. Never raises: broken files are kept as far as they can be read."""
    files = Files(root)
    the_map = _read_map(files)
    order = {slug: index for index, slug in enumerate(the_map.planned)}
    bites = [parse_bite(read_source(files.name(path), files.text(path))) for path in _files(root, "docs/bites/*/*.md")]
    all_facts, known = _read_facts(files)
    snippets = read_snippets(root, files.text)
    complete = [settled(bite, known, snippets) for bite in bites]
    terms = _read_terms(files)
    synonyms = _read_entries(files, SYNONYMS_PATH, read_synonyms, "Y001", SYNONYM_ENTRY)
    rules_of_thumb = _read_entries(files, RULES_OF_THUMB_PATH, read_rules_of_thumb, "Y004", RULE_OF_THUMB_ENTRY)
    return Library(
        root=root,
        sections=the_map.sections,
        planned=the_map.planned,
        bites=tuple(sorted(complete, key=lambda bite: (order.get(bite.slug, len(order)), bite.slug))),
        facts=known,
        all_facts=all_facts,
        snippets=snippets,
        notebooks=read_notebooks(root),
        figures={files.name(path): files.text(path) for path in _files(root, "docs/assets/figures/*.svg")},
        terms=terms,
        synonyms=synonyms,
        rules_of_thumb=rules_of_thumb,
        errors=tuple(files.errors),
        stray=tuple(_stray(root, snippets)),
        today=today or current_day(),
    )


def current_day() -> date:
    """The clock's, or that of the last commit (which make hands down) where the clock is behind it."""
    committed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return max(date.today(), date.fromtimestamp(int(committed)) if committed.isdecimal() else date.min)


def _files(root: Path, pattern: str) -> list[Path]:
    """Files, not folders; what begins with a dot or is made by Python is no part of the project."""
    found = (path for path in root.glob(pattern) if path.is_file() and path.suffix != ".pyc")
    return sorted(path for path in found if not path.name.startswith("."))


def _read_map(files: Files) -> ContentMap:
    path = files.root / "docs" / "map.yml"
    name = files.name(path)
    if not path.is_file():
        hint = "run it in the project's folder, or name that with --root"
        files.errors.append(Problem(name, 1, "P001", "does not exist", hint))
        return ContentMap()
    the_map = read_map(files.text(path))
    for code, wrong in (("P001", the_map.unreadable), ("P002", the_map.wrong)):
        files.note(name, code, wrong)
    return the_map


def _read_terms(files: Files) -> tuple[Term, ...]:
    path = files.root / TERMS_PATH
    if not path.is_file():
        return ()
    terms, wrong = read_terms(files.text(path))
    files.note(TERMS_PATH, "T001", wrong)
    return terms


def _read_entries(
    files: Files, name: str, read: Callable[[str], tuple[tuple[Entry, ...], tuple[tuple[int, str], ...]]], code: str, form: str
) -> tuple[Entry, ...]:
    """Those of a file that may be missing; `form` is how one looks, for who wrote another."""
    path = files.root / name
    if not path.is_file():
        return ()
    entries, wrong = read(files.text(path))
    files.errors += [Problem(name, line, code, message, form) for line, message in wrong]
    return entries


def _read_facts(files: Files) -> tuple[tuple[Fact, ...], dict[str, Fact]]:
    all_facts: list[Fact] = []
    for path in _files(files.root, "facts/*.yml"):
        facts, wrong = read_facts(files.name(path), files.text(path))
        all_facts += facts
        files.note(files.name(path), "N001", wrong)
    known, wrong_formulas = evaluate(all_facts)
    files.errors += [
        Problem(known[fact_id].path, known[fact_id].line, "N003", f"`{fact_id}`: {message}", FORMULA)
        for fact_id, message in wrong_formulas.items()
    ]
    return tuple(all_facts), known


def _stray(root: Path, snippets: dict[str, Snippet]) -> Iterator[str]:
    """Files that look like a part of the project but that nothing reads."""
    read = {path for pattern in ("docs/bites/*/*.md", "facts/*.yml") for path in _files(root, pattern)}
    for snippet in snippets.values():
        path = root / snippet.path
        read |= {path, *path.parent.glob(f"{glob.escape(path.stem)}.recording.*")}
        if snippet.vertex is not None:
            read.add(path.with_suffix(".vert"))
    for folder in ("docs/bites", "facts", "snippets"):
        yield from (path.relative_to(root).as_posix() for path in _files(root, f"{folder}/**/*") if path not in read)
