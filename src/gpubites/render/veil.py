"""Right answers, kept from a glance at the page and its source. No secret: whoever decodes them knows what they are doing."""

from __future__ import annotations

import base64
import json
from itertools import cycle


def veiled(data: object, question: str) -> str:
    """JSON, each byte against one of the question's id, as base64. Undone by web/core/quiz.js when the reader checks."""
    return base64.b64encode(_against(json.dumps(data, separators=(",", ":")).encode(), question)).decode()


def unveiled(veil: str, question: str) -> object:
    """The inverse of `veiled`."""
    return json.loads(_against(base64.b64decode(veil), question))


def _against(data: bytes, question: str) -> bytes:
    return bytes(byte ^ key for byte, key in zip(data, cycle(question.encode() or b"q"), strict=False))
