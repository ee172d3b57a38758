"""Values inside HTML."""

from __future__ import annotations

import json


def json_in_html(data: object) -> str:
    """JSON that cannot close the element it stands in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
