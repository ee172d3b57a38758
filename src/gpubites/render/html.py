"""Values inside HTML."""

from __future__ import annotations

import json


def json_in_html(data: object) -> str:
    """JSON that cannot close the element it stands in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def columns(text: str) -> int:
    """The length of the longest line: the stylesheet makes an output as large as fits a phone."""
    return max(1, *(len(line) for line in text.split("\n")))
