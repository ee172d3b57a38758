"""Notebook pages made lean: maths as MathML, no inlined styles or scripts."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from gpubites.render.notebook import lean_notebook, render_maths_as_mathml


def on_startup(**_: object) -> None:
    render_maths_as_mathml()


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if not page.file.src_uri.endswith(".ipynb"):
        return html
    page.meta["template"] = "notebook.html"
    return lean_notebook(html)
