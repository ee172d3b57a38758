"""Notebook pages: what mkdocs-jupyter makes, without JupyterLab's styles and scripts, and with maths as MathML."""

from __future__ import annotations

import base64
import re
from urllib.parse import unquote

from bs4 import BeautifulSoup, Comment
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
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for tag in soup.select("[tabindex]"):
        # Of every cell and output; what can be scrolled is the block inside.
        del tag["tabindex"]
    for tag in soup.select(".highlight-ipynb"):
        tag["class"] = "highlight"
    for number, tag in enumerate(soup.select("pre"), start=1):
        # Scrolls sideways on a phone, so it has to be reachable by keyboard.
        tag["tabindex"] = "0"
        tag["aria-label"] = f"Block {number}"
    drawings = []
    for image in soup.select("img[src^='data:image/svg+xml']"):
        # As an image a drawing knows neither the page's colors nor its font, and its own label is lost.
        drawings.append(_svg_of(str(image["src"])))
        image.replace_with(f"⦃{len(drawings) - 1}⦄")
    # Put in as text: the HTML parser would write `viewBox` in lower case.
    page = re.sub(r"⦃(\d+)⦄", lambda match: drawings[int(match[1])], str(soup))
    return re.sub(r"\n{3,}", "\n\n", page)


def _svg_of(address: str) -> str:
    """The drawing of a `data:` address, from its `<svg` on."""
    head, data = address.split(",", 1)
    svg = base64.b64decode(data).decode() if head.endswith(";base64") else unquote(data)
    return svg[svg.index("<svg") :]
