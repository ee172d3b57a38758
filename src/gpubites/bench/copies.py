"""Builds in temporary folders: the project, with a word changed, ten times as large; and stock Material with the same text."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from gpubites.bench.larger_index import larger_index
from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.new import map_entry
from gpubites.prose import FACT_LINK
from gpubites.search.index import FOLDER

COPIED = ("docs", "facts", "hooks", "snippets", "theme")
LINKED = ("build", "src")  # nothing here changes them
QUESTION_ID = re.compile(r"\{#(q-[a-z0-9-]+)")
PREREQS = re.compile(r"^prereqs: .*$", re.MULTILINE)
KEYWORDS = re.compile(r"^keywords: (\[.*\])$", re.MULTILINE)
ALIASES = re.compile(r"^aliases: .*$", re.MULTILINE)
# Fonts would come from another host; instant navigation is what a next page is compared with, and asks for its own address.
STOCK_CONFIG = """\
site_name: Stock Material
site_url: {url}
theme: {{name: material, font: false, features: [navigation.instant]}}
plugins: [search]
markdown_extensions: [admonition, attr_list, def_list, footnotes, tables, pymdownx.details, pymdownx.highlight,
  pymdownx.inlinehilite, pymdownx.superfences, pymdownx.smartsymbols]
"""


@dataclass(frozen=True)
class Took:
    """Seconds: by the clock, and of all cores together. A busy machine changes the second less."""

    wall: float = 0
    cpu: float = 0


@dataclass(frozen=True)
class Built:
    """A site in a folder, and how long its build took."""

    site: Path
    took: Took = Took()

    @property
    def manifest(self) -> str:
        return (self.site / "offline.json").read_text(encoding="utf-8")

    def body(self, path: str) -> bytes:
        """What a static host answers at an address below the site's root."""
        file = self.site / path / "index.html" if path.endswith("/") or not path else self.site / path
        return (file if file.is_file() else self.site / "404.html").read_bytes()

    def sizes(self, paths: Iterable[str]) -> dict[str, int]:
        return {path: len(self.body(path)) for path in paths}


def run(command: list[str | Path], folder: Path) -> Took:
    """Runs a command in a folder. A failing one ends the bench with what it said."""
    env, before = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}, os.times()
    ran = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed in {folder}:\n{ran.stdout}")
    after = os.times()
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return Took(after.elapsed - before.elapsed, user + system)


def build(project: Path, site: Path, *options: str) -> Built:
    """As `make site` does it once the scripts are bundled, with `--strict` among the options."""
    return Built(site, run([sys.executable, "-m", "mkdocs", "build", "--site-dir", site, *options], project))


def copy_project(root: Path, into: Path) -> Path:
    """All that a build reads."""
    into.mkdir()
    shutil.copy(root / "mkdocs.yml", into)
    for folder in COPIED:
        shutil.copytree(root / folder, into / folder)
    for folder in LINKED:
        (into / folder).symlink_to(root / folder)
    return into


def change_one_word(project: Path, bite: Bite) -> None:
    """In the bite's first section."""
    path = project / bite.path
    text = path.read_text(encoding="utf-8")
    place = text.index(" the ", text.index("\n## "))
    path.write_text(text[:place] + " that " + text[place + len(" the ") :], encoding="utf-8")


def multiply(project: Path, library: Library, times: int) -> None:
    """Adds copies of all bites under new slugs until there are `times` as many."""
    slugs = [bite.slug for bite in library.bites]
    entries = []
    for number in range(2, times + 1):
        for bite in library.bites:
            path, slug = project / bite.path, f"{bite.slug}-{number}"
            path.with_name(f"{slug}.md").write_text(copied(path.read_text(encoding="utf-8"), slugs, number), encoding="utf-8")
            if (project / "snippets" / bite.slug).is_dir():
                shutil.copytree(project / "snippets" / bite.slug, project / "snippets" / slug)
            entries.append(map_entry(slug, bite.section))
    with (project / "docs" / "map.yml").open("a", encoding="utf-8") as the_map:
        the_map.writelines(entries)


def copied(text: str, slugs: list[str], number: int) -> str:
    """A bite's file as its copy `number`: its links, prerequisites, keywords and questions are those of the copies of that number."""
    one = f"({'|'.join(map(re.escape, slugs))})"
    text = re.sub(rf"(?<=[/(]){one}(?=\.md)", rf"\1-{number}", text)
    text = PREREQS.sub(lambda line: re.sub(rf"(?<=[\[ ]){one}(?=[,\]])", rf"\1-{number}", line[0]), text, count=1)
    text = ALIASES.sub("aliases: []", text, count=1)
    text = KEYWORDS.sub(lambda line: f"keywords: {_numbered(line[1], number)}", text, count=1)
    return QUESTION_ID.sub(rf"{{#\1-{number}", text)


def _numbered(keywords: str, number: int) -> str:
    """A keyword leads to one bite."""
    return json.dumps([f"{keyword} {number}" for keyword in yaml.safe_load(keywords)], ensure_ascii=False)


def with_larger_index(here: Built, library: Library, bites: int, into: Path) -> Built:
    """The site with a search index of so many bites, made from the words of those it has."""
    shutil.copytree(here.site, into)
    shutil.rmtree(into / FOLDER)
    for path, text in larger_index(library, bites).items():
        (into / path).parent.mkdir(exist_ok=True)
        (into / path).write_text(text, encoding="utf-8")
    return Built(into)


def stock_project(library: Library, into: Path, url: str) -> Path:
    """The bites as plain Markdown for Material as it comes, to be served at `url`."""
    shutil.copytree(library.root / "docs" / "assets", into / "docs" / "assets")
    (into / "mkdocs.yml").write_text(STOCK_CONFIG.format(url=url), encoding="utf-8")
    (into / "docs" / "index.md").write_text("# Stock Material\n", encoding="utf-8")
    for bite in library.bites:
        page = into / bite.path
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(plain_markdown(bite, library), encoding="utf-8")
    return into


def plain_markdown(bite: Bite, library: Library) -> str:
    """A bite's text without our own grammar: code in its fences, numbers as they are read."""
    lines = bite.source.text.split("\n")
    for fence in bite.fences:
        snippet = library.snippet_of(bite, fence)
        part = snippet and snippet.part(fence.part)
        lines[fence.line - 1] = f"```{fence.language}\n{part.text.rstrip() if part else ''}"
    body = "\n".join(lines).split("\n---\n", 1)[1]
    return FACT_LINK.sub(lambda link: link["text"], f"# {bite.title}\n\n{bite.question}\n{body}")


def stock_path(bite: Bite) -> str:
    """Where a bite lies on the stock site."""
    return bite.path.removeprefix("docs/").removesuffix(".md") + "/"
