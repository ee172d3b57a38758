"""HTML that Markdown must not touch: a token stands for it in the text and is filled in after the conversion."""

from __future__ import annotations

import re

# Private characters, which no font shows and nobody types; `without_tokens` keeps a text that holds them from reaching into the page.
EDGE_OPENS, EDGE_CLOSES, INLINE_OPENS, INLINE_CLOSES = "\ue010", "\ue011", "\ue012", "\ue013"
# An edge token takes the paragraph's tag and a space beside it along; an inline one leaves them.
TOKEN = re.compile(rf"(?:<p>)?{EDGE_OPENS}(?P<edge>\d+){EDGE_CLOSES} ?(?:</p>)?|{INLINE_OPENS}(?P<inline>\d+){INLINE_CLOSES}")
TOKEN_CHARACTERS = re.compile(f"[{EDGE_OPENS}-{INLINE_CLOSES}]")


def without_tokens(text: str) -> str:
    """A writer's text without the characters that tokens are made of."""
    return TOKEN_CHARACTERS.sub("", text)


class Holes:
    """The HTML that is waiting, in order."""

    def __init__(self) -> None:
        self._html: list[str] = []

    def block(self, html: str) -> str:
        """A paragraph of its own that becomes `html`."""
        return f"\n\n{self._edge(html)}\n\n"

    def inline(self, html: str) -> str:
        """A token within a line that becomes `html`."""
        return f"{INLINE_OPENS}{self._keep(html)}{INLINE_CLOSES}"

    def around(self, opening: str, inline_markdown: str, closing: str) -> str:
        """A paragraph of inline Markdown whose `<p>` and `</p>` become `opening` and `closing`."""
        # The space is for a quotation mark that comes first: it opens only where no character stands before it.
        return f"\n\n{self._edge(opening)} {inline_markdown.strip()}{self._edge(closing)}\n\n"

    def _edge(self, html: str) -> str:
        return f"{EDGE_OPENS}{self._keep(html)}{EDGE_CLOSES}"

    def _keep(self, html: str) -> int:
        self._html.append(html)
        return len(self._html) - 1

    def fill(self, html: str) -> str:
        """Replace every token, once: what is filled in is left as it is, whatever a snippet or a figure holds."""
        return TOKEN.sub(lambda match: self._html[int(match["edge"] or match["inline"])], html)
