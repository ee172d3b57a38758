"""Code with its colors, as Pygments marks it."""

from __future__ import annotations

from functools import cache
from html import escape

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

LANGUAGES = {"python": "python", "simulator": "python", "shader": "glsl", "webgpu": "wgsl", "cuda": "cuda"}


def code_block(text: str, language: str, label: str) -> str:
    """`<pre><code>`; it can be reached by the keyboard, since it may have to be scrolled."""
    marked = highlight(text, _lexer(language), _formatter())
    return f'<pre tabindex="0" aria-label="{escape(label)}"><code>{marked}</code></pre>'


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, stripnl=False)


@cache
def _formatter() -> HtmlFormatter[str]:
    return HtmlFormatter(nowrap=True)
