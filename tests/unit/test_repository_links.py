"""README, CONTRIBUTING and the pages about the site, read on a forge: what they link, name and tell to type is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpubites.prose import IMAGE, LINK, find_in_prose

ROOT = Path(__file__).parents[2]
PAGES = (
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "STYLE.md")]
    + sorted(ROOT.glob("docs/*.md"))
    + sorted(ROOT.glob("docs/about/*.md"))
)
# What looks like a path of this project: it has a folder or a known ending, and no placeholder.
NAMED = re.compile(r"`((?:\.github|docs|facts|hooks|snippets|src|tests|theme|web)/[\w./-]+|[A-Z]+\.md|Makefile|[\w-]+\.(?:yml|toml))`")
EXAMPLES = {"docs/bites/mem/data-layout.md", "docs/assets/figures/data-layout.svg"}


def headings(page: Path) -> set[str]:
    found = re.findall(r"^#+ (.*?)(?:\s*\{#([\w-]+)\})?$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {name or re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text, name in found}


def broken_links(page: Path) -> Iterator[str]:
    for pattern in (LINK, IMAGE):
        for found in find_in_prose(pattern, page.read_text(encoding="utf-8"), 1):
            target, _, part = found.match["target"].partition("#")
            if target.startswith(("https://", "fact:")):
                continue
            file = (page.parent / target).resolve() if target else page
            if not file.exists() or (part and part not in headings(file)):
                yield f"{page.relative_to(ROOT)}:{found.line} {found.match['target']}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere_on_a_forge(page: Path) -> None:
    assert list(broken_links(page)) == []


def test_a_broken_link_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "a.md").write_text("# A b\n[x](b.md), [y](#a-b), [z](#c), `[code](d.md)`\n")
    assert list(broken_links(tmp_path / "a.md")) == ["a.md:2 b.md", "a.md:2 #c"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "STYLE.md"])
def test_what_is_named_exists(name: str) -> None:
    named = set(NAMED.findall((ROOT / name).read_text(encoding="utf-8"))) - EXAMPLES
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_command_is_one_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        commands = re.findall(r"(?:^|`)\s*(?:[A-Z_]+=\S+ )?make ([a-z][a-z-]*)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(commands) <= targets, page


def test_the_map_of_the_project_in_the_readme_is_true() -> None:
    (block,) = re.findall(r"## Where things are\n\n```\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    for path in re.findall(r"[\w./*<>-]+/[\w./*<>-]*|[\w/]+\.yml", block):
        pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
        assert any(ROOT.glob(pattern)), path
