"""A card as HTML for both of its sides, the same in Anki and on paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from markdown import Markdown

from gpubites.cards import Card, Choice, Part, right_first

# Of mkdocs.yml what a card needs: a card is read outside the site, so nothing that needs its scripts.
EXTENSIONS = ("tables", "def_list", "pymdownx.superfences", "pymdownx.highlight", "smarty")
SETTINGS = {"smarty": {"smart_dashes": False, "smart_ellipses": False}}


@dataclass(frozen=True)
class Face:
    """`question` stands on both sides, `asked` (how to answer, the choices) below it in front.

    `answer` is the back, `more` what can be unfolded below it; on paper there is no room for that.
    """

    card: Card
    question: str
    asked: str
    answer: str
    more: str


def face(card: Card) -> Face:
    """The card's HTML."""
    return Face(card, _inline(card.question), _asked(card), _answer(card), "".join(map(_folded, card.parts[1:])))


def _asked(card: Card) -> str:
    choices = "".join(f"<li>{_inline(choice.text)}</li>" for choice in card.choices)
    code = html(card.code) if card.code else ""
    return f'{code}<p class="how">{escape(card.how)}</p>' + (f'<ul class="choices">{choices}</ul>' if choices else "")


def _answer(card: Card) -> str:
    """Every choice with its reason, what is right first; or the first part."""
    if card.choices:
        return f'<ul class="reasons">{"".join(map(_reason, right_first(card.choices)))}</ul>'
    return "".join((f"<h2>{escape(part.title)}</h2>" if part.title else "") + html(part.text) for part in card.parts[:1])


def _reason(choice: Choice) -> str:
    # The sign and the word say it: color is not all there is.
    mark, word = ("✓", "right") if choice.right else ("✗", "wrong")
    return f'<li class="{word}"><p><b>{mark} {word.capitalize()}</b>: {_inline(choice.text)}</p><p>{_inline(choice.why)}</p></li>'


def _folded(part: Part) -> str:
    return f"<details><summary>{escape(part.title)}</summary>{html(part.text)}</details>"


# A choice stands on both sides, and while `make` serves most texts are those of the last build.
@lru_cache(maxsize=16_384)
def html(markdown: str) -> str:
    """Markdown as HTML."""
    converter = _converter()
    converter.reset()
    return converter.convert(markdown)


def _inline(markdown: str) -> str:
    """A text of one paragraph, without the paragraph."""
    return html(markdown).removeprefix("<p>").removesuffix("</p>")


@cache
def _converter() -> Markdown:
    return Markdown(extensions=list(EXTENSIONS), extension_configs=SETTINGS)
