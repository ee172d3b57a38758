"""Projects in temporary folders: this one with a word changed, this one ten times as large, and stock Material with the same text."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.new import map_entry
from gpubites.prose import FACT_LINK

READ_BY_A_BUILD = ("docs", "facts", "hooks", "snippets", "theme")
QUESTION_ID = re.compile(r"\{#(q-[a-z0-9-]+)")
STOCK_CONFIG = """\
site_name: Stock Material
site_url: {url}                      # instant navigation looks whether it is at home
theme:
  name: material
  font: false                        # its fonts come from another host
  features: [navigation.instant]
plugins: [search]
markdown_extensions:
  - admonition
  - attr_list
  - def_list
  - footnotes
  - tables
  - pymdownx.details
  - pymdownx.highlight
  - pymdownx.inlinehilite
  - pymdownx.superfences
  - pymdownx.smartsymbols
"""


@dataclass(frozen=True)
class Took:
    """Seconds: by the clock on the wall, and of all cores together. The second is what a busy machine changes least."""

    wall: float
    cpu: float


def took(command: list[str | Path], folder: Path, site: Path | None = None) -> Took:
    """Runs a command that builds into `site`. A failing one ends the bench with what it said."""
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1", **({"SITE_DIR": str(site)} if site else {})}
    started, cpu_before = time.monotonic(), _children_cpu()
    ran = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed in {folder}:\n{ran.stdout}")
    return Took(time.monotonic() - started, _children_cpu() - cpu_before)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def build(project: Path, site: Path) -> Took:
    """As `make site` does it, once the scripts are bundled."""
    return took([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], project, site)


def build_stock(project: Path, site: Path) -> Took:
    """Not strictly: a link to a bite that is planned leads nowhere there."""
    return took([sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", site], project)


def copy_project(root: Path, into: Path) -> Path:
    """All that a build reads; the bundled scripts as a link, since nothing changes them."""
    into.mkdir()
    for folder in READ_BY_A_BUILD:
        shutil.copytree(root / folder, into / folder)
    shutil.copy(root / "mkdocs.yml", into)
    (into / "build").symlink_to(root / "build")
    return into


def change_one_word(project: Path, bite: Bite) -> None:
    path = project / bite.path
    heading, answer = path.read_text(encoding="utf-8").split("\n## ", 2)[1:]
    assert " the " in answer, f"{bite.path} has no word to change"
    before = path.read_text(encoding="utf-8").removesuffix(answer)
    assert heading
    path.write_text(before + answer.replace(" the ", " that ", 1), encoding="utf-8")


def multiply(project: Path, library: Library, times: int) -> None:
    """Adds copies of all bites under new slugs until there are `times` as many. A copy's links and prerequisites lead to copies."""
    slugs = "|".join(re.escape(bite.slug) for bite in library.bites)
    linked = re.compile(rf"(?<=[/(])({slugs})(?=\.md)")
    required = re.compile(rf"(?<=[\[ ])({slugs})(?=[,\]])")
    entries = []
    for number in range(2, times + 1):
        for bite in library.bites:
            text = linked.sub(rf"\1-{number}", (project / bite.path).read_text(encoding="utf-8"))
            text = QUESTION_ID.sub(rf"{{#\1-{number}", text)
            text = re.sub(r"^prereqs: .*$", lambda line: required.sub(rf"\1-{number}", line[0]), text, count=1, flags=re.MULTILINE)
            text = re.sub(r"^aliases: .*$", "aliases: []", text, count=1, flags=re.MULTILINE)
            slug = f"{bite.slug}-{number}"
            (project / bite.path).with_name(f"{slug}.md").write_text(text, encoding="utf-8")
            if (project / "snippets" / bite.slug).is_dir():
                shutil.copytree(project / "snippets" / bite.slug, project / "snippets" / slug)
            entries.append(map_entry(slug, bite.section))
    with (project / "docs" / "map.yml").open("a", encoding="utf-8") as the_map:
        the_map.writelines(entries)


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
