"""The rules of thumb, docs/rules-of-thumb.yml: words of bites that the search shows by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from gpubites.bite import Bite
from gpubites.prose import plain
from gpubites.yaml_list import sound_entries, wrong_texts

RULES_OF_THUMB_PATH = "docs/rules-of-thumb.yml"
ENTRY_KEYS = ("rule", "bite", "says")
RULE_OF_THUMB_ENTRY = '{rule: Ridge point, bite: roofline, says: "the ridge, peak divided by bandwidth."}'
# Where a bite states things itself: red flags and wrong answers say what is wrong.
PARTS = ("explainer", "model-answer", "footgun", "follow-ups")


@dataclass(frozen=True)
class RuleOfThumb:
    """`rule` is its name, `says` what stands in the bite."""

    rule: str
    bite: str
    says: str
    line: int


def read_rules_of_thumb(text: str) -> tuple[tuple[RuleOfThumb, ...], tuple[tuple[int, str], ...]]:
    """The entries of a text, and what is wrong with it as (line, message). Wrong entries are left out."""
    entries, wrong = sound_entries(text, "rules of thumb", ENTRY_KEYS, lambda entry: wrong_texts(entry, ENTRY_KEYS))
    return tuple(RuleOfThumb(**entry, line=line) for entry, line in entries), wrong


def stands_in(rule: RuleOfThumb, bite: Bite) -> str:
    """The anchor of the part that says it, or an empty text where none does."""
    said = _flat(rule.says)
    parts = ((anchor, bite.part(anchor)) for anchor in PARTS)
    return next((anchor for anchor, part in parts if part and said in _flat(plain(part.body))), "")


def _flat(text: str) -> str:
    return " ".join(text.split())
