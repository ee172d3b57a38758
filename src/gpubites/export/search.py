"""The documents the search box looks in: one per bite, fetched when the box is opened."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from gpubites.bite import SECTIONS, Bite
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.view import can_run

SEARCH_PATH = "search.json"
WORD = re.compile(r"[a-z][a-z0-9_]{2,}(?:-[a-z0-9]+)*")
# A whole text costs 2.5 kB compressed, its telling words 0.3 kB; at 141 bites the index has to stay within 120 kB.
MOST_WORDS = 80


def search_file(library: Library) -> dict[str, str]:
    """Path below the site's root → JSON text."""
    words = telling_words({bite.slug: words_of(bite) for bite in library.bites})
    documents = [search_document(bite, library, words[bite.slug]) for bite in library.bites]
    return {SEARCH_PATH: json.dumps({"version": 1, "bites": documents}, ensure_ascii=False, separators=(",", ":"))}


def search_document(bite: Bite, library: Library, words: Sequence[str]) -> dict[str, object]:
    """What is indexed and what a result shows; of its text, the words that tell it from others."""
    return {
        "slug": bite.slug,
        "title": bite.title,
        "question": bite.question,
        "keywords": list(bite.keywords),
        "level": bite.level,
        "kind": bite.kind,
        "section": bite.section,
        "sectionName": library.sections.get(bite.section, bite.section),
        "roles": list(bite.roles),
        "run": bool(can_run(bite, library)),
        "url": bite.url,
        "text": " ".join(words),
    }


def words_of(bite: Bite) -> Counter[str]:
    """How often each word stands in the bite's sections."""
    parts = (bite.part(anchor) for anchor in SECTIONS.values())
    return Counter(word for part in parts if part for word in WORD.findall(plain(part.body).lower()))


def telling_words(texts: Mapping[str, Counter[str]]) -> dict[str, list[str]]:
    """For each text its words by tf-idf, best first: often here, seldom elsewhere. A single text keeps its most frequent ones."""
    spread = Counter(word for words in texts.values() for word in words)

    def weight(word: str, count: int) -> float:
        # +1 keeps the order by frequency where every text has the word.
        return (1 + math.log(count)) * (math.log(len(texts) / spread[word]) + 1)

    return {
        name: [word for word, _ in sorted(words.items(), key=lambda item: (-weight(*item), item[0]))[:MOST_WORDS]]
        for name, words in texts.items()
    }
