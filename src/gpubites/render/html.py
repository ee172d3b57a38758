"""Values inside HTML."""

from __future__ import annotations

import json
from html import escape

from gpubites.snippet import Snippet


def json_in_html(data: object) -> str:
    """JSON that cannot close the element it stands in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def columns(text: str) -> int:
    """The length of the longest line: the stylesheet makes an output as large as fits a phone."""
    return max(1, *(len(line) for line in text.split("\n")))


def kept_under(snippet: Snippet, part: str = "") -> str:
    """What the page calls a program that readers can change, and where it keeps a reader's draft of it."""
    return f'data-name="{escape(snippet.name)}" data-file="{escape(f"{snippet.slug}/{snippet.name}")}" data-part="{escape(part)}"'
