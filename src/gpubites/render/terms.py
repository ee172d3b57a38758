"""The first use of a term in a bite leads to its definition."""

from __future__ import annotations

import re
from html import escape

from gpubites.bite import Bite
from gpubites.library import Library
from gpubites.prose import IMAGE, LINK, TAG, outside_code
from gpubites.render.holes import Holes
from gpubites.terms import Term

# Where no link belongs: in another link, a picture, a tag or a heading, and in what is marked (a dated term, an assumption).
TAKEN = re.compile(
    rf"{IMAGE.pattern.replace('alt', 'image').replace('target', 'source')}|(?P<link>{LINK.pattern})"
    rf"|<span\b[^>]*>.*?</span>|{TAG.pattern}|^#+ [^\n]*",
    re.MULTILINE | re.DOTALL,
)


class FirstUses:
    """Marks each term once on a page. A term that the bite itself explains is not marked, nor one that a link names first."""

    def __init__(self, bite: Bite, library: Library, holes: Holes, root: str) -> None:
        self._holes, self._root = holes, root
        elsewhere = [term for term in library.terms if term.bite != bite.slug and term.id and _means_it(term, bite)]
        # `Warps` at the beginning of a sentence is the `warp` of the list.
        self._terms = {_key(form): term for term in elsewhere for word in term.words for form in (word, f"{word}s")}
        self._pattern = _pattern_of([word for term in elsewhere for word in term.words if word])
        self._seen: set[str] = set()

    def link(self, text: str) -> str:
        """Markdown → Markdown in which first uses are links to `/terms/#<id>`."""
        return outside_code(text, self._link_stretch) if self._pattern else text

    def _link_stretch(self, stretch: str) -> str:
        pieces, position = [], 0
        for taken in TAKEN.finditer(stretch):
            pieces += [self._mark(stretch[position : taken.start()]), taken[0]]
            if taken["link"]:
                self._seen |= {self._term(word[0]).id for word in self._words(taken["text"])}
            position = taken.end()
        return "".join([*pieces, self._mark(stretch[position:])])

    def _mark(self, words: str) -> str:
        def mark(word: re.Match[str]) -> str:
            term = self._term(word[0])
            if term.id in self._seen:
                return word[0]
            self._seen.add(term.id)
            opening = self._holes.inline(f'<a class="term" href="{self._root}terms/#{escape(term.id)}">')
            return f"{opening}{word[0]}{self._holes.inline('</a>')}"

        assert self._pattern
        return self._pattern.sub(mark, words)

    def _words(self, text: str) -> list[re.Match[str]]:
        return list(self._pattern.finditer(text)) if self._pattern else []

    def _term(self, word: str) -> Term:
        return self._terms[_key(word)]


def _means_it(term: Term, bite: Bite) -> bool:
    return not term.sections or bite.section in term.sections


def _key(word: str) -> str:
    return " ".join(word.lower().split())


def _pattern_of(words: list[str]) -> re.Pattern[str] | None:
    """The longest word first, whole words only, with a plural s. Capitals mean what they say: `SM`, not `sm`."""
    if not words:
        return None
    forms = []
    for word in sorted(words, key=len, reverse=True):
        form = r"\s+".join(re.escape(part) for part in word.split())
        # A lower-case word may begin a sentence.
        if word[0].islower():
            form = f"(?i:{form[0]}){form[1:]}"
        forms.append(form if word.endswith("s") else f"{form}s?")
    return re.compile(rf"(?<![\w./-])(?:{'|'.join(forms)})(?![\w/-])")
