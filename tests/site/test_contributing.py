"""CONTRIBUTING.md followed to the letter, in a copy of the project: its own commands, in its own order."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gpubites.bench.asking import ask
from gpubites.bite import parse_bite
from gpubites.facts import read_facts
from gpubites.library import Library
from gpubites.rules import check
from gpubites.source import read_source

BITE = "docs/bites/mem/data-layout.md"


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as a contributor would clone it; what is installed is linked, not copied."""
    folder = tmp_path_factory.mktemp("clone")
    for name in (
        subprocess.check_output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root).decode().split("\0")
    ):
        # A contributor who has followed it has these already; the copy is as it was before.
        if name and "data-layout" not in name and (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    for name in (".venv", "node_modules"):
        link_installed(root / name, folder / name)
    shutil.copytree(root / "build", folder / "build")
    return folder


def link_installed(installed: Path, folder: Path) -> None:
    """A folder of links with a stamp of its own: should make decide to install anew, it would unlink, not empty the original."""
    folder.mkdir()
    for entry in installed.iterdir():
        if entry.name != ".installed":
            (folder / entry.name).symlink_to(entry)
    (folder / ".installed").touch()


def run(command: str, copy: Path) -> subprocess.CompletedProcess[str]:
    # Without what an outer make hands down: this is a contributor's own shell.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "SITE_DIR")}
    return subprocess.run(command, shell=True, cwd=copy, env=environment, capture_output=True, text=True)


def commands(copy: Path) -> list[str]:
    """The shell commands of the numbered steps."""
    steps = (copy / "CONTRIBUTING.md").read_text().split("\n## ")[0]
    return [line.strip() for block in re.findall(r"```sh\n(.*?)```", steps, re.DOTALL) for line in block.splitlines() if line.strip()]


KEYWORDS = (
    "structs of arrays", "order of fields", "field layout", "padded fields", "struct fields read slowly", "half of every line goes unused",
)  # fmt: skip


def written_bite(template: str, example: str) -> str:
    """What a contributor would have after replacing every TODO: the template's head, the text of a whole bite."""
    front, body = example.split("\n---\n", 1)
    sources = re.search(r"^sources:.*?(?=^\w)", front, re.DOTALL | re.MULTILINE)[0]  # type: ignore[index]
    head = template.split("\n---\n", 1)[0]
    head = re.sub(r"question: TODO.*", "question: Why does the order of fields matter?", head)
    head = re.sub(r"^keywords:.*", f"keywords: [{', '.join(KEYWORDS)}]", head, flags=re.MULTILINE)
    head = re.sub(r"^sources:.*?(?=^checked)", lambda _: sources, head, flags=re.DOTALL | re.MULTILINE)
    # Its own ids, and no snippets: those belong to the bite they came from.
    body = re.sub(r"\n## Try it\n.*?(?=\n## )", "", body.replace("q-coalescing", "q-data-layout"), flags=re.DOTALL)
    return f"{head}\n---\n{body}"


def test_a_link_to_nowhere_stops_the_build_and_is_named(copy: Path) -> None:
    page = copy / "docs/about/index.md"
    text = page.read_text()
    page.write_text(f"{text}\n[Gone](no-such-page.md)\n")
    done = run("make site", copy)
    page.write_text(text)
    assert done.returncode != 0
    assert "no-such-page.md" in done.stdout + done.stderr


def test_three_minutes_to_a_bite(copy: Path) -> None:
    new, check, test = commands(copy)
    assert new == "make new bite=mem/data-layout", "the first command of CONTRIBUTING.md starts a bite"
    # Run here it would test in a test; what it would run has to be there.
    planned = run(f"{test} --dry-run", copy)
    tests = re.findall(r"tests/[\w/.]+", planned.stdout)
    assert tests, planned.stderr
    assert all((copy / path).exists() for path in tests)

    started = run(new, copy)
    assert started.returncode == 0, started.stdout + started.stderr
    template = (copy / BITE).read_text()
    for title in ("Explainer", "Model answer", "What it tests", "Red flags", "Footgun", "Follow-ups", "Quiz"):
        assert f"\n## {title}\n\n" in template
    assert re.findall(r"\{#(.*)\}", template) == [f"q-data-layout-{number}" for number in (1, 2, 3)], "as CONTRIBUTING.md says"

    unfinished = run(check, copy)
    assert unfinished.returncode != 0
    assert re.search(rf"^{BITE}:\d+ B\d+ .*TODO", unfinished.stdout, re.MULTILINE), unfinished.stdout
    assert "Traceback" not in unfinished.stdout + unfinished.stderr

    (copy / BITE).write_text(written_bite(template, (copy / "docs/bites/mem/coalescing.md").read_text()))
    finished = run(check, copy)
    assert finished.returncode == 0, finished.stdout

    built = run("make site", copy)
    assert built.returncode == 0, built.stdout + built.stderr
    site = copy / "site"
    assert (site / "b/data-layout/index.html").is_file()
    assert "b/data-layout/" in (site / "s/mem/index.html").read_text()
    assert "b/data-layout/" in (site / "s/index.html").read_text()
    (found,) = ask(site, ["data layout"])
    assert "data-layout" in [bite["slug"] for bite in found["bites"]]
    assert "data-layout" in [bite["slug"] for bite in json.loads((site / "api/v1/bites.json").read_text())["bites"]]
    kept = json.loads((site / "offline.json").read_text())["packs"]["library"]["files"]
    assert "b/data-layout/index.html" in [entry[0] for entry in kept]


def examples(copy: Path, heading: str) -> str:
    """One part of CONTRIBUTING.md."""
    return (copy / "CONTRIBUTING.md").read_text().partition(f"\n## {heading}\n")[2].split("\n## ")[0]


def test_what_the_examples_show_is_accepted(copy: Path, library: Library) -> None:
    """Each is put where it belongs, and nobody complains."""
    (fact,) = re.findall(r"```yaml\n(.*?)```", examples(copy, "Numbers"), re.DOTALL)
    (written,), wrong = read_facts("facts/x.yml", fact)
    assert wrong == ()
    known = library.facts[written.id]
    assert (written.value, written.unit, written.what, written.status) == (known.value, known.unit, known.what, known.status)

    links = re.findall(r"`(\[.*?\]\(.*?\))`", examples(copy, "Links"))
    figures = re.findall(r"`(!\[.*?\]\(.*?\))`", examples(copy, "Figures"))
    fences = re.findall(r"````markdown\n(.*?)````", examples(copy, "Something to run"), re.DOTALL)
    assert (len(links), len(figures), len(fences)) == (4, 1, 1)
    bite = library.by_slug["coalescing"]
    text = re.sub(r"```python \{src=\"count_sectors.py\".*\n```\n", lambda _: fences[0], bite.source.text, count=1)
    text = text.replace("## Footgun\n", f"## Footgun\n\n{' '.join(links)}\n\n{figures[0].replace('data-layout', 'coalescing')}\n")
    changed = replace(library, bites=tuple(parse_bite(read_source(bite.path, text)) if each is bite else each for each in library.bites))
    assert [str(problem) for problem in check(changed)] == []


def test_make_new_alone_lists_every_section_also_those_without_a_folder(copy: Path, library: Library) -> None:
    listed = run("make new", copy)
    assert listed.returncode != 0
    for section, name in library.sections.items():
        assert re.search(rf"^  {section} +{re.escape(name)}: ", listed.stdout, re.MULTILINE)
    shutil.rmtree(copy / "docs/bites/econ")
    started = run("make new bite=econ/something-new", copy)
    assert started.returncode == 0, started.stdout
    assert (copy / "docs/bites/econ/something-new.md").is_file()
