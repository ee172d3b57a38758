"""Code with its colors, as Pygments marks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape

from pygments import highlight
from pygments.filter import Filter
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, Comment, Keyword, Name, Number, String, Text, _TokenType

LANGUAGES = {"python": "python", "simulator": "python", "shader": "glsl", "webgpu": "wgsl", "cuda": "cuda"}

# The classes that have a color (web/css/code.css), each with the type that stands for all of that color.
COLORED = {
    short: kind
    for kind, shorts in {
        Keyword: "k kc kd kn kr kt ow cp cpf",
        Name.Function: "nf fm nc nb bp nd ne nn nt na",
        String: "s s1 s2 sa sb sc dl sd se sh si sx sr ss",
        Number: "m mb mf mh mi mo il",
        Comment: "c c1 cm ch cs gp go",
    }.items()
    for short in shorts.split()
}


def code_block(text: str, language: str, label: str) -> str:
    """`<pre><code>`; it can be reached by the keyboard, since it may have to be scrolled."""
    marked = highlight(text, _lexer(language), _formatter())
    return f'<pre tabindex="0" aria-label="{escape(label)}"><code>{marked}</code></pre>'


@cache
def _lexer(language: str) -> Lexer:
    lexer = get_lexer_by_name(language, stripnl=False)
    lexer.add_filter(_Colors())
    return lexer


class _Colors(Filter):
    """Tells apart what the page shows apart: a third of the pages' bytes were marks around names, commas and spaces."""

    def filter(self, lexer: Lexer | None, stream: Iterable[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
        for kind, value in stream:
            yield COLORED.get(STANDARD_TYPES.get(kind, ""), Text), value


@cache
def _formatter() -> HtmlFormatter[str]:
    return HtmlFormatter(nowrap=True)
