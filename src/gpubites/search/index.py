"""The index as files: a head that is fetched with the search box, shards of words by their first letters, shards of cards.

A query fetches the head, one shard for each first letter in it, and the cards of what it shows, so that its cost hardly grows with the
library. Names hold a hash of the content: a file of another build is never taken for one of this.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from gpubites.search.documents import KINDS, PARTS, Document, card_text
from gpubites.search.words import STOP_WORDS, words_of

HEAD_PATH = "search.json"
FOLDER = "search"
VERSION = 2
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Cards in a file: of bites few, since results are scattered; the others are shown four at a time.
CARDS = {"bite": 16, "notebook": 64, "lab": 64, "term": 64, "planned": 64, "fact": 128}
# Letters a shard may hold before it is cut by the next letter of its words. A phone reads so many in a millisecond.
MOST_LETTERS = 24_000


@dataclass
class Postings:
    """Where a word stands: in entries by number, and in the text of documents as (document, how often, part).

    `bites` is the number of those that hold it anywhere, also where it is not among the telling words: a word is worth the less.
    """

    entries: list[int] = field(default_factory=list)
    text: list[tuple[int, int, int]] = field(default_factory=list)
    bites: int = 0


def index_files(
    found: Sequence[Document], sections: Mapping[str, str], same: Sequence[Sequence[str]] = (), elsewhere: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Path below the site's root → text. `found` is in the order of `KINDS`; `same` and `elsewhere` are those of gpubites.search.same."""
    postings, lengths = invert(found)
    files: dict[str, str] = {}

    def put(text: str) -> str:
        name = hashlib.sha256(text.encode()).hexdigest()[:8]
        files[f"{FOLDER}/{name}.json"] = text
        return name

    shards = {prefix: put(text) for prefix, text in word_shards(postings)}
    cards = {kind: [put(card_text(group)) for group in _groups(found, kind)] for kind in KINDS}
    names = list(sections)
    bites = [document for document in found if document.kind == "bite"]
    head = {
        "version": VERSION,
        "stop": " ".join(sorted(STOP_WORDS)),
        "same": same,
        "elsewhere": elsewhere or {},
        "parts": PARTS,
        "sections": sections,
        "counts": {kind: sum(document.kind == kind for document in found) for kind in KINDS},
        "levels": "".join(document.level[:1] or "-" for document in bites),
        "in": "".join(DIGITS[names.index(document.section)] if document.section in sections else "-" for document in bites),
        "runs": "".join("1" if document.runs else "0" for document in bites),
        # Entries of each document, and words of each entry, as far as one digit tells.
        "entries": "".join(DIGITS[min(len(document.entries), 35)] for document in found),
        "lengths": "".join(DIGITS[min(length, 35)] for length in lengths),
        "words": shards,
        "cards": {kind: {"size": CARDS[kind], "names": names} for kind, names in cards.items()},
    }
    return {HEAD_PATH: _json(head), **files}


def _groups(found: Sequence[Document], kind: str) -> Iterator[Sequence[Document]]:
    those = [document for document in found if document.kind == kind]
    return (those[start : start + CARDS[kind]] for start in range(0, len(those), CARDS[kind]))


def invert(found: Sequence[Document]) -> tuple[dict[str, Postings], list[int]]:
    """The postings of every word, and how many different words each entry has. A document has 35 entries at most."""
    postings: dict[str, Postings] = defaultdict(Postings)
    lengths: list[int] = []
    for number, document in enumerate(found):
        for entry in document.entries[:35]:
            words = set(words_of(entry))
            for word in words:
                postings[word].entries.append(len(lengths))
            lengths.append(len(words))
        for word, (often, part) in document.text.items():
            postings[word].text.append((number, often, part))
    spread = Counter(word for document in found if document.kind == "bite" for word in _all_words(document))
    for word, where in postings.items():
        where.bites = spread[word]
    return postings, lengths


def _all_words(document: Document) -> set[str]:
    return {word for entry in document.entries for word in words_of(entry)} | document.words


def word_shards(postings: Mapping[str, Postings]) -> Iterator[tuple[str, str]]:
    """The letters that a shard's words begin with, and its text. One letter; two where that would be too much, and so on."""

    def cut(words: Sequence[str], depth: int) -> Iterator[tuple[str, str]]:
        for prefix, group in groupby(words, key=lambda word: word[:depth]):
            members = list(group)
            text = _shard(members, postings)
            if len(text) > MOST_LETTERS and any(len(word) > depth for word in members):
                yield from cut(members, depth + 1)
            else:
                yield prefix, text

    yield from cut(sorted(postings), 1)


def _shard(words: Sequence[str], postings: Mapping[str, Postings]) -> str:
    """Columns compress better than rows: the words, each after what it shares with the one before; then numbers as differences."""
    listed = [postings[word] for word in words]
    return _json(
        {
            "words": " ".join(_after_shared(words)),
            "entries": ",".join(" ".join(map(str, _differences(where.entries))) for where in listed),
            "text": ",".join(" ".join(map(str, _differences([document for document, _, _ in where.text]))) for where in listed),
            # For each place in a text a digit to the base of 32: how often times 8, and the part.
            "how": "".join(DIGITS[often * 8 + part] for where in listed for _, often, part in where.text),
            # Four steps to a doubling are exact enough for a weight.
            "bites": "".join(DIGITS[min(35, round(4 * math.log2(where.bites)) + 1 if where.bites else 0)] for where in listed),
        }
    )


def _after_shared(words: Iterable[str]) -> Iterator[str]:
    """`coalesce coalesced` as `0coalesce 8d`: the first digit says how many letters are those of the word before."""
    before = ""
    for word in words:
        shared = 0
        while shared < min(len(before), len(word), 35) and before[shared] == word[shared]:
            shared += 1
        yield DIGITS[shared] + word[shared:]
        before = word


def _differences(numbers: Sequence[int]) -> Iterator[int]:
    before = 0
    for number in numbers:
        yield number - before
        before = number


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
