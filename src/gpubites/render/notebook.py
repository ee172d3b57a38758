"""Notebook pages: what mkdocs-jupyter makes, without JupyterLab's styles and scripts, and with maths as MathML."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer

DROPPED = "style, script, clipboard-copy, .clipboard-copy-txt, .zeroclipboard-container, .jp-Collapser, .anchor-link, .jp-InputPrompt"


def render_maths_as_mathml() -> None:
    """Teach nbconvert's Markdown renderer to write MathML, which needs no script in the page."""
    # nbconvert has no setting for it, so its renderer's two methods are replaced.
    setattr(IPythonRenderer, "inline_math", lambda self, body: convert(body))  # noqa: B010
    setattr(IPythonRenderer, "block_math", lambda self, body: convert(body, display="block"))  # noqa: B010


def lean_notebook(html: str) -> str:
    """The cells and their outputs, in classes that our own stylesheet knows."""
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.select(DROPPED):
        tag.decompose()
    for tag in soup.select(".highlight-ipynb"):
        tag["class"] = "highlight"
    for number, tag in enumerate(soup.select("pre"), start=1):
        # Scrolls sideways on a phone, so it has to be reachable by keyboard.
        tag["tabindex"] = "0"
        tag["aria-label"] = f"Block {number}"
    for tag in soup.select("[tabindex='-1']"):
        del tag["tabindex"]
    return re.sub(r"\n{3,}", "\n\n", str(soup))
