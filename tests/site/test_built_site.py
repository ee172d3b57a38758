"""The built files: links and anchors, addresses under a sub-path, the API, budgets in bytes, one policy everywhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import brotli
import pytest

from gpubites.library import Library

FIRST_VIEW = 60_000  # bytes, compressed
NOTEBOOK = 60_000
FACTS = 60_000


class Links(HTMLParser):
    """What a page links and which ids it has."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name in ("href", "src"):
            if given.get(name):
                self.links.append(str(given[name]))
        if given.get("id"):
            self.ids.append(str(given["id"]))


def read(page: Path) -> Links:
    links = Links()
    links.feed(page.read_text(encoding="utf-8"))
    return links


def broken_links(site: Path, base: str) -> Iterator[str]:
    """Links of all pages that lead to no file or to no id. `base` is where the site lives."""
    pages = {page: read(page) for page in site.rglob("*.html")}
    for page, links in pages.items():
        here = urljoin(base, page.relative_to(site).as_posix().removesuffix("index.html"))
        for link in links.links:
            target, fragment = urldefrag(urljoin(here, link))
            if not target.startswith(base):
                if urlsplit(target).scheme not in ("https", "mailto", "data"):
                    yield f"{page.relative_to(site)}: {link}"
                continue
            path = site / unquote(target.removeprefix(base))
            path = path / "index.html" if target.endswith("/") else path
            if not path.is_file():
                yield f"{page.relative_to(site)}: {link} leads nowhere"
            elif fragment and path.suffix == ".html" and fragment not in pages[path].ids:
                yield f"{page.relative_to(site)}: {link} has no such part"


def test_every_link_leads_somewhere(site: Path) -> None:
    assert list(broken_links(site, "http://127.0.0.1:8000/")) == []


def test_the_link_checker_finds_a_broken_link(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<a href="b/">gone</a><a href="#here">part</a><p id="there">')
    assert len(list(broken_links(tmp_path, "http://x.example/"))) == 2


def test_ids_are_unique(site: Path) -> None:
    for page in site.rglob("*.html"):
        ids = read(page).ids
        assert len(ids) == len(set(ids)), f"{page}: {sorted({i for i in ids if ids.count(i) > 1})}"


@pytest.fixture(scope="session")
def sub_path_site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sub-path") / "site"
    environment = {**os.environ, "SITE_URL": "https://example.org/gpu-bites/", "SITE_DIR": str(folder), "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict"], cwd=root, env=environment, check=True)
    return folder


def test_links_hold_under_a_sub_path(sub_path_site: Path) -> None:
    assert list(broken_links(sub_path_site, "https://example.org/gpu-bites/")) == []
    assert '"/gpu-bites/' in (sub_path_site / "404.html").read_text(), "the 404 page is shown at any depth: its addresses are absolute"


def test_bites_live_at_their_slug(site: Path, library: Library) -> None:
    for bite in library.bites:
        page = (site / "b" / bite.slug / "index.html").read_text()
        anchors = read(site / "b" / bite.slug / "index.html").ids
        for anchor in ("explainer", "model-answer", "what-it-tests", "red-flags", "follow-ups", "quiz", "sources"):
            assert anchor in anchors, f"{bite.slug} has no #{anchor}"
        for question in bite.quiz:
            assert question.id in anchors
        assert "⦃" not in page and "⦅" not in page, "a hole was not filled"
        assert not re.search(r"<p>\s*</p>", page), f"{bite.slug} has an empty paragraph"


def test_api_lists_every_bite_as_documented(site: Path, library: Library) -> None:
    listing = json.loads((site / "api/v1/bites.json").read_text())
    assert listing["version"] == 1
    assert [bite["slug"] for bite in listing["bites"]] == [bite.slug for bite in library.bites]
    for entry in listing["bites"]:
        assert (site / entry["url"] / "index.html").is_file(), "addresses are relative to the site's root"
        whole = json.loads((site / f"api/v1/bites/{entry['slug']}.json").read_text())
        assert {key: whole[key] for key in entry} == entry
        assert [section["id"] for section in whole["sections"]][:2] == ["explainer", "model-answer"]
        for snippet in entry["snippets"]:
            assert snippet["recorded"] is True and snippet["gpu"] is False


def compressed(path: Path) -> int:
    return len(brotli.compress(path.read_bytes()))


def test_first_view_fits_the_budget(site: Path, library: Library) -> None:
    """The page, the stylesheet, the entry and the icons: everything a bite loads by itself but its elements' small chunks."""
    shell = sum(compressed(path) for pattern in ("app-*.js", "style-*.css") for path in (site / "assets").glob(pattern))
    for bite in library.bites:
        assert shell + compressed(site / bite.url / "index.html") < FIRST_VIEW


def test_notebook_page_is_lean(site: Path) -> None:
    page = site / "notebooks/roofline/index.html"
    assert compressed(page) < NOTEBOOK
    html = page.read_text()
    assert "No description has been provided" not in html, "drawings stand in the page, with their own label"
    assert re.search(r"<svg[^>]*aria-label=", html) and "viewBox" in html
    assert "<!--" not in html and "mathjax" not in html.lower(), "nothing is left of JupyterLab's page"
    assert "<math" in html and not re.search(r"\$[^$<]*\\[a-z]+", html), "maths is MathML, none of it raw"


def test_a_notebook_can_be_found_downloaded_and_says_what_made_it(site: Path, library: Library) -> None:
    listed = {page: read(site / page / "index.html").links for page in ("notebooks", "s")}
    for notebook in library.notebooks.values():
        html = (site / notebook.url / "index.html").read_text()
        assert f"Python {notebook.python} on <time" in html and notebook.python and notebook.recorded_on
        download = site / notebook.url / f"{notebook.name}.ipynb"
        assert f'href="{download.name}" download' in html
        assert download.read_bytes() == (library.root / notebook.path).read_bytes()
        for page, links in listed.items():
            assert any(link.endswith(f"{notebook.name}/") for link in links), f"{page} does not list {notebook.name}"


HEAD = re.compile(r'<(?:meta (?:name|property)|link rel)="(description|canonical|og:[a-z_]+)" (?:content|href)="([^"]*)"')


def test_every_page_says_what_it_is_where_a_link_to_it_is_shown(sub_path_site: Path, library: Library) -> None:
    home = "https://example.org/gpu-bites/"
    titles: dict[str, Path] = {}
    for page in sorted(sub_path_site.rglob("index.html")):
        html = page.read_text()
        if "http-equiv=refresh" in html.replace('"', ""):
            continue
        head = dict(HEAD.findall(html.partition("</head>")[0]))
        address = home + page.relative_to(sub_path_site).as_posix().removesuffix("index.html")
        assert head["canonical"] == head["og:url"] == address
        assert head["description"] == head["og:description"] and len(head["description"]) > 30, page
        picture = head["og:image"].removeprefix(home)
        assert (sub_path_site / picture).is_file()
        title = unescape(re.search(r"<title>([^<]*)</title>", html)[1])  # type: ignore[index]
        assert title.count("GPU Bites") == 1, title
        assert titles.setdefault(title, page) == page, f"{page} has the title of {titles[title]}"
        assert title.startswith(unescape(head["og:title"]))
    for bite in library.bites:
        head = dict(HEAD.findall((sub_path_site / bite.url / "index.html").read_text()))
        assert unescape(head["og:title"]) == bite.title
        assert unescape(head["og:description"]) == bite.question


def test_every_number_of_a_bite_has_its_note(site: Path, library: Library) -> None:
    facts = json.loads((site / "facts.json").read_text())["facts"]
    for bite in library.bites:
        shown = set(re.findall(r'class="fact" href="[^"#]*#([^"]+)"', (site / bite.url / "index.html").read_text()))
        assert shown <= facts.keys()
    assert {name for fact in facts.values() for name, _ in fact.get("inputs", [])} <= facts.keys(), "inputs have their row too"
    assert compressed(site / "facts.json") < FACTS


def test_every_first_use_of_a_term_has_its_note(site: Path, library: Library) -> None:
    terms = json.loads((site / "terms.json").read_text())["terms"]
    marked = 0
    for bite in library.bites:
        shown = re.findall(r'class="term" href="[^"#]*#([^"]+)"', (site / bite.url / "index.html").read_text())
        assert set(shown) <= terms.keys()
        assert len(shown) == len(set(shown)), f"{bite.slug} marks a term twice"
        marked += len(shown)
    assert marked > len(library.bites), "terms are marked"


def test_terms_map_and_freshness_name_everything(site: Path, library: Library) -> None:
    assert {term.id for term in library.terms} <= set(read(site / "terms/index.html").ids)
    for where in ("map", "about/freshness"):
        page = (site / where / "index.html").read_text()
        for bite in library.bites:
            assert f'{bite.url}"' in page, f"{where} does not link {bite.slug}"


def test_the_home_page_leads_to_every_part_of_the_site(site: Path) -> None:
    # A bite is found through all bites, the license through the foot.
    parts = {f"{page.parent.name}/" for page in site.glob("*/index.html")} - {"about/"}
    ways_in = site.joinpath("index.html").read_text(encoding="utf-8").split("</main>")[0].split("<main", 1)[1]
    assert parts - set(re.findall(r'href="([^"#?]+)', ways_in)) == set()


def test_one_policy_on_every_page(site: Path) -> None:
    found = {
        re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page.read_text())[1]  # type: ignore[index]
        for page in site.rglob("*.html")
    }
    assert len(found) == 1
    policy = found.pop()
    assert "default-src 'none'" in policy
    assert "'unsafe-eval'" not in policy.replace("'wasm-unsafe-eval'", "")
    assert "https:" not in policy, "no other host is allowed"


def test_nothing_points_at_another_host(site: Path) -> None:
    """Links may lead out; what a page loads may not."""
    loading = re.compile(
        r'<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*\b(?:src|data)="https?://|<link\b[^>]*\brel="(?:stylesheet|preload|icon|preconnect)"[^>]*href="https?://'
    )
    for page in site.rglob("*.html"):
        assert not loading.search(page.read_text()), page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(\s*[\"']?https?://|@import\s+[\"']https?://", sheet.read_text()), sheet


def test_two_builds_are_the_same_bytes(root: Path, site: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "SITE_DIR": str(tmp_path / "again"), "NO_MKDOCS_2_WARNING": "1"}
    if "SOURCE_DATE_EPOCH" not in environment:
        pytest.skip("run through make, which sets SOURCE_DATE_EPOCH")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict"], cwd=root, env=environment, check=True)
    assert (tmp_path / "again/offline.json").read_bytes() == (site / "offline.json").read_bytes()


def test_no_link_stands_in_what_is_pressed(site: Path) -> None:
    for path in sorted(site.glob("b/*/index.html")):
        for summary in re.findall(r"<summary[^>]*>(.*?)</summary>", path.read_text(), re.DOTALL):
            assert "<a " not in summary, f"{path.parent.name}: {summary}"
