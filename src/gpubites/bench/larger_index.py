"""A search index of many more bites than are written, made from the words of those that are: what it would weigh, and how fast it would be.

Copies of bites would compress as no library does. So a bite here has the title of one, the question of another, keywords and words of
many, and rare words are spelled anew as often as the vocabulary of the real bites grows with their number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from gpubites.library import Library
from gpubites.search.documents import KINDS, Document, by_length, documents
from gpubites.search.index import index_files
from gpubites.search.same import called_elsewhere, same_meaning
from gpubites.search.words import words_of

LETTERS = re.compile(r"[A-Za-z]{4,}")
KEYWORDS = 3  # entries of a bite that come before its keywords
RARE = 2  # bites that hold a word which may be spelled anew


def larger_index(library: Library, bites: int) -> dict[str, str]:
    """Path → text, as `search_files` has it, for so many bites and as many more terms and facts."""
    found = documents(library)
    grown = [document for kind in KINDS for document in _grown([one for one in found if one.kind == kind], bites, library)]
    return index_files(grown, library.sections, same_meaning(library), called_elsewhere(library))


def _grown(those: Sequence[Document], bites: int, library: Library) -> Iterable[Document]:
    if not those or those[0].kind == "planned":
        return ()  # all written by then
    count = math.ceil(len(those) * bites / max(1, len(library.bites)))
    random = Random(those[0].kind)
    news = _NewWords(those, count, random)
    return (those[number] if number < len(those) else _mixed(those, number, news, random) for number in range(count))


def _mixed(those: Sequence[Document], number: int, news: _NewWords, random: Random) -> Document:
    """One more of a kind, of which every part comes from another."""
    own = random.choice(those)
    if own.kind == "bite":
        named = [random.choice(those).entries[place] for place in range(KEYWORDS)]
        texts = [*named, *by_length(_keyword(those, random) for _ in own.entries[KEYWORDS:])]
    else:
        texts = list(own.entries)
    entries = tuple(map(news.spelled, texts))
    donors = random.sample(those, min(4, len(those)))
    pool = [item for donor in donors for item in donor.text.items()]
    chosen = random.sample(pool, min(len(own.text), len(pool)))
    text = {news.word(word): where for word, where in chosen}
    card = [f"{own.card[0]}-{number}", *(news.spelled(value) if isinstance(value, str) else value for value in own.card[1:])]
    words = frozenset(news.word(word) for donor in donors[:2] for word in sorted(donor.words) if random.random() < 0.5)
    return replace(own, entries=entries, text=text, card=card, words=words)


def _keyword(those: Sequence[Document], random: Random) -> str:
    return random.choice(random.choice(those).entries[KEYWORDS:] or ("",))


class _NewWords:
    """Spells rare words anew, so often that the vocabulary grows with the number of bites as that of the real ones does."""

    def __init__(self, those: Sequence[Document], count: int, random: Random) -> None:
        self.random = random
        spread: dict[str, int] = {}
        for document in those:
            for word in _words(document):
                spread[word] = spread.get(word, 0) + 1
        self.rare = sorted(word for word, bites in spread.items() if bites <= RARE and LETTERS.fullmatch(word))
        self.rare_words = frozenset(self.rare)
        half = those[: len(those) // 2]
        before = len({word for document in half for word in _words(document)})
        exponent = math.log(len(spread) / before) / math.log(len(those) / len(half)) if before and len(those) > 1 else 0
        wanted = len(spread) * ((count / len(those)) ** exponent - 1)
        uses = sum(spread[word] for word in self.rare) / len(those) * max(1, count - len(those))
        self.share = min(1.0, wanted / uses) if uses else 0.0

    def word(self, word: str) -> str:
        if len(self.rare) < 2 or word not in self.rare_words or self.random.random() > self.share:
            return word
        other = self.random.choice(self.rare)
        return word[: (len(word) + 1) // 2] + other[len(other) // 2 :]

    def spelled(self, text: str) -> str:
        return LETTERS.sub(lambda found: self.word(found[0]) if found[0].islower() else found[0], text)


def _words(document: Document) -> set[str]:
    return {word for entry in document.entries for word in words_of(entry)} | set(document.text)
