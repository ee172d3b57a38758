"""Decks: made once a build, listed and laid out for paper by pages, written beside them."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_build_timestamp

from gpubites.export.decks import decks


def on_files(files: Files, config: MkDocsConfig) -> Files:
    config.extra["decks"] = decks(config.extra["library"], config.site_url or "/", get_build_timestamp())
    for uri in _pages(config):
        if not files.get_file_from_path(uri):
            files.append(File.generated(config, uri, content=""))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    shown = _pages(config).get(page.file.src_uri)
    if shown is None:
        return markdown
    page.meta |= shown
    return ""


def _pages(config: MkDocsConfig) -> dict[str, dict[str, object]]:
    """Where → what its template is given. `docs/decks.md` holds what a forge shows in the page's place."""
    made = config.extra["decks"]
    paper = {
        f"{deck.print_url}index.md": {
            "template": "print-cards.html",
            "title": f"Cards for paper: {deck.title}",
            "description": f"{deck.title}: {len(deck.faces)} cards to print on both sides and cut.",
            "deck": deck,
        }
        for deck in made
        if deck.print_url
    }
    hub = {
        "template": "decks.html",
        "title": "Decks",
        "description": "The questions of the library as cards: Anki decks that update without losing progress, CSV, Markdown and paper.",
        "decks": made,
    }
    return {"decks.md": hub, **paper}


def on_post_build(config: MkDocsConfig) -> None:
    for deck in config.extra["decks"]:
        for file in deck.files:
            (Path(config.site_dir) / file.path).write_bytes(file.content)
