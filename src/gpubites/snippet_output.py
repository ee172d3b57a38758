"""What a page can show of a snippet's output: held by the rules on recordings, and by whoever records."""

from __future__ import annotations

MOST_LINES = 40
MOST_COLUMNS = 64  # a phone held upright shows sixty of them, the last few by scrolling sideways


def unfit(printed: str) -> str:
    """Why a page could not show this output; empty where it can."""
    lines = printed.expandtabs().removesuffix("\n").split("\n")
    if not printed.strip():
        return "prints nothing"
    if len(lines) > MOST_LINES:
        return f"prints {len(lines)} lines, at most {MOST_LINES} are shown"
    number, widest = max(enumerate(lines, start=1), key=lambda line: len(line[1]))
    if len(widest) > MOST_COLUMNS:
        return f"prints a line of {len(widest)} columns (line {number}), at most {MOST_COLUMNS} fit a phone"
    return ""
