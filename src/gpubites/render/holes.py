"""HTML that Markdown must not touch: a token stands for it in the text and is filled in after the conversion."""

from __future__ import annotations

import re

# An edge token takes the paragraph's tag beside it along; an inline one leaves it.
EDGE = re.compile(r"(?:<p>)?⦃(\d+)⦄(?:</p>)?")
INLINE = re.compile(r"⦅(\d+)⦆")


class Holes:
    """The HTML that is waiting, in order."""

    def __init__(self) -> None:
        self._html: list[str] = []

    def block(self, html: str) -> str:
        """A paragraph of its own that becomes `html`."""
        return f"\n\n⦃{self._keep(html)}⦄\n\n"

    def inline(self, html: str) -> str:
        """A token within a line that becomes `html`."""
        return f"⦅{self._keep(html)}⦆"

    def around(self, opening: str, inline_markdown: str, closing: str) -> str:
        """A paragraph of inline Markdown whose `<p>` and `</p>` become `opening` and `closing`."""
        return f"\n\n⦃{self._keep(opening)}⦄{inline_markdown.strip()}⦃{self._keep(closing)}⦄\n\n"

    def _keep(self, html: str) -> int:
        self._html.append(html)
        return len(self._html) - 1

    def fill(self, html: str) -> str:
        """Replace every token, also those in filled HTML."""
        for token in (EDGE, INLINE):
            while token.search(html):
                html = token.sub(lambda match: self._html[int(match[1])], html)
        return html
