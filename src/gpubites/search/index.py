"""The index as files: a head that is fetched with the search box, shards of words in the order of the alphabet, shards of cards.

A query fetches the head, the shards its words lie in, and the cards of what it shows, so that its cost hardly grows with the library.
Names hold a hash of the content: a file of another build is never taken for one of this.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gpubites.search.documents import KINDS, PARTS, Document, card_text
from gpubites.search.words import STOP_WORDS, words_of

HEAD_PATH = "search.json"
FOLDER = "search"
VERSION = 4
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# Cards in a file: of bites few, since results are scattered and shown with every key; of the others more, which compress better.
CARDS = {"bite": 4, "notebook": 16, "lab": 32, "term": 64, "planned": 32, "rule": 64, "fact": 128}
# Letters a shard may hold: few, since a query needs a handful of its words; fewer would compress worse than they spare.
MOST_LETTERS = 8_000
# Entries of a bite that name it and ask: a slip of one of their words is looked for everywhere, as of any word that stands in two entries.
NAMES = 3
SHORTEST_SLIP = 2


@dataclass
class Postings:
    """Where a word stands: in entries by number, and in the text of documents as (document, how often, part).

    `bites` is the number of those that hold it anywhere, also where it is not among the telling words: a word is worth the less. 0 says
    that they are the ones listed.
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

    shards = [(first, put(text)) for first, text in word_shards(postings)]
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
        # What the words of each shard begin with or come after.
        "from": " ".join(first for first, _ in shards),
        "words": [name for _, name in shards],
        # Where slips are looked for.
        "spelled": " ".join(_after_shared(sorted(spelled(bites, postings)))),
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
    bites = [document.kind == "bite" for document in found]
    owners = [number for number, document in enumerate(found) for _ in document.entries[:35]]
    spread = Counter(word for document in found if document.kind == "bite" for word in _all_words(document))
    for word, where in postings.items():
        listed = {owners[entry] for entry in where.entries} | {document for document, _, _ in where.text}
        where.bites = spread[word] if spread[word] != sum(bites[document] for document in listed) else 0
    return postings, lengths


def _all_words(document: Document) -> set[str]:
    return {word for entry in document.entries for word in words_of(entry)} | document.words


def spelled(bites: Sequence[Document], postings: Mapping[str, Postings]) -> set[str]:
    """The words that another may be a slip of: those that name a bite, and those that stand in more than one entry of bites."""
    named = {word for bite in bites for entry in bite.entries[:NAMES] for word in words_of(entry)}
    # Bites come first, and so do their entries.
    entries = sum(len(bite.entries) for bite in bites)
    often = {word for word, where in postings.items() if len(where.entries) > 1 and where.entries[1] < entries}
    return {word for word in named | often if len(word) >= SHORTEST_SLIP and not word[0].isdigit()}


Columns = tuple[str, str, str, str, str]


def word_shards(postings: Mapping[str, Postings]) -> Iterator[tuple[str, str]]:
    """The letters from which a shard's words go on to those of the next, and its text. The first begins before all words."""
    start, before, letters = "", "", 0
    members: list[Columns] = []
    for word in sorted(postings):
        columns = _columns(word, postings[word])
        size = sum(map(len, columns)) + 3
        # A new letter is a place to begin anew: what is added to one letter moves the words of no other.
        if members and (letters + size > MOST_LETTERS or (letters > MOST_LETTERS / 2 and word[0] != before[0])):
            yield start, _shard(members)
            start, members, letters = word[: _shared(before, word) + 1], [], 0
        members.append(columns)
        letters += size
        before = word
    if members:
        yield start, _shard(members)


def _columns(word: str, where: Postings) -> Columns:
    """The word; the entries and documents it stands in, as differences; and how: digits."""
    return (
        word,
        " ".join(map(str, _differences(where.entries))),
        " ".join(map(str, _differences([document for document, _, _ in where.text]))),
        # For each place in a text a digit to the base of 32: how often times 8, and the part.
        "".join(DIGITS[often * 8 + part] for _, often, part in where.text),
        # Four steps to a doubling are exact enough for a weight.
        DIGITS[min(35, round(4 * math.log2(where.bites)) + 1 if where.bites else 0)],
    )


def _shard(members: Sequence[Columns]) -> str:
    """Columns compress better than rows: the words, each after what it shares with the one before; then numbers."""
    words, entries, text, how, bites = zip(*members, strict=True)
    return _json(
        {
            "words": " ".join(_after_shared(words)),
            "entries": ",".join(entries),
            "text": ",".join(text),
            "how": "".join(how),
            "bites": "".join(bites),
        }
    )


def _after_shared(words: Iterable[str]) -> Iterator[str]:
    """`coalesce coalesced` as `0coalesce 8d`: the first digit says how many letters are those of the word before."""
    before = ""
    for word in words:
        shared = min(35, _shared(before, word))
        yield DIGITS[shared] + word[shared:]
        before = word


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _differences(numbers: Sequence[int]) -> Iterator[int]:
    before = 0
    for number in numbers:
        yield number - before
        before = number


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
