"""Notebook pages made lean: maths as MathML, no inlined styles or scripts."""

from pathlib import PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from gpubites.library import Library
from gpubites.render.notebook import lean_notebook, render_maths_as_mathml
from gpubites.render.view import notebook_view


def on_startup(**_: object) -> None:
    render_maths_as_mathml()


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    library: Library = config.extra["library"]
    notebook = library.notebooks[PurePosixPath(page.file.src_uri).stem]
    page.meta |= {"template": "notebook.html", "description": notebook.lead, "notebook": notebook_view(notebook, library)}
    return lean_notebook(html)
