"""Cards as CSV and as Markdown, for everything that is not Anki."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import groupby

from gpubites.cards import Card, right_first

COLUMNS = ("id", "front", "back", "pile", "kind", "section", "bite", "level", "roles", "url")
# A spreadsheet computes a cell that begins with one of these; an apostrophe in front makes it text.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def cards_csv(cards: Sequence[Card]) -> str:
    """RFC 4180: a row of names, CRLF after every row, quotes where needed. Both sides are Markdown."""
    target = io.StringIO()
    rows = csv.writer(target, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for card in cards:
        bite = card.bite
        roles = " ".join(bite.roles)
        cells = (card.id, front(card), back(card), card.pile, card.kind, card.section, bite.title, bite.level, roles, card.address)
        rows.writerow(map(as_text, cells))
    return target.getvalue()


def as_text(cell: str) -> str:
    """The cell, so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def cards_markdown(cards: Sequence[Card], title: str, site: str) -> str:
    """One document: sections, bites, and their cards, each with its id."""
    pieces = [f"# GPU Bites: {title}", f"Cards of [GPU Bites]({site}), under [CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)."]
    for section, in_section in groupby(cards, key=lambda card: card.section):
        pieces.append(f"## {section}")
        for bite, of_bite in groupby(in_section, key=lambda card: card.bite):
            pieces.append(f"### [{bite.title}]({site}{bite.url})")
            for card in of_bite:
                pieces += [f"#### {card.question}", f"`{card.id}` {card.how}", *_listed(card), "**Answer**", back(card)]
    return "\n\n".join(pieces) + "\n"


def front(card: Card) -> str:
    """The question, how to answer, and the choices."""
    return "\n\n".join([card.question, card.how, *_listed(card)])


def _listed(card: Card) -> list[str]:
    """What stands below how to answer: the code, and the choices."""
    choices = "\n".join(f"- {choice.text}" for choice in card.choices)
    return [text for text in (card.code, choices) if text]


def back(card: Card) -> str:
    """Every choice with its reason, what is right first; or the parts under their titles."""
    if card.choices:
        said = [f"**{'Right' if choice.right else 'Wrong'}**: {choice.text}\n\n{choice.why}" for choice in right_first(card.choices)]
        return "\n\n".join(said)
    return "\n\n".join(f"**{part.title}**\n\n{part.text}" if part.title else part.text for part in card.parts)
