"""What can be found: bites, notebooks, labs, terms, planned bites, rules of thumb, facts.

Each comes with the texts it is found by and the card of a result.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gpubites.bite import SECTIONS, Bite
from gpubites.library import Library
from gpubites.prose import plain
from gpubites.render.view import can_run, fact_views
from gpubites.rules_of_thumb import stands_in
from gpubites.search.words import words_of

# Kinds in the order of the index. Each has its form of card, which web/core/search/cards.js reads.
KINDS = ("bite", "notebook", "lab", "term", "planned", "rule", "fact")
PARTS = tuple(SECTIONS.values())
# A whole text costs 1 kB compressed, its telling words 0.2; at 141 bites the index has to stay within 120 kB.
MOST_WORDS = 72
# A word of a heading counts as often as this in the text below it.
HEADING = 4
MOST_LETTERS = 150
NEAREST = 2
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"`])")


@dataclass(frozen=True)
class Document:
    """`entries` are short texts, the title first. Of a bite: the name in its title, what follows the colon, question, keywords, terms.

    `text` is of the words in no entry those that tell it from others: word → (0 to 3 for how often, the part it mostly stands in).
    `words` are all that stand in its text. `card` is what a result shows.
    """

    kind: str
    entries: tuple[str, ...]
    card: list[object]
    text: Mapping[str, tuple[int, int]]
    words: frozenset[str] = frozenset()
    level: str = ""
    section: str = ""
    runs: bool = False


def documents(library: Library) -> list[Document]:
    """Everything, in the order of `KINDS`; within a kind in the order of the site."""
    bites = [_bite(bite, library) for bite in library.bites]
    counted = [_counted(bite) for bite in library.bites]
    return [
        *(
            replace(bite, text=text, words=frozenset(words))
            for bite, text, words in zip(bites, telling_words(counted, bites), counted, strict=True)
        ),
        *_notebooks(library),
        *_labs(library),
        *_terms(library),
        *_planned(library),
        *_rules_of_thumb(library),
        *_facts(library),
    ]


def _bite(bite: Bite, library: Library) -> Document:
    named = [word for term in library.terms if term.bite == bite.slug for word in term.words]
    name, _, rest = bite.title.partition(": ")
    aliases = [alias.replace("-", " ") for alias in bite.aliases]
    more = {keyword.lower(): keyword for keyword in (*bite.keywords, *named, *aliases)}
    return Document(
        kind="bite",
        entries=(name, rest, bite.question, *by_length(more.values())),
        card=[bite.slug, bite.title, hook(bite)],
        text={},
        level=bite.level,
        section=bite.section,
        runs=bool(can_run(bite, library)) or bool(library.notebooks_of(bite)),
    )


def by_length(entries: Iterable[str]) -> list[str]:
    """The order of keywords says nothing, and in this one their lengths take a third of the room."""
    return sorted(entries, key=lambda entry: len(set(words_of(entry))))


def hook(bite: Bite) -> str:
    """The answer in one line: the sentence that opens the explainer."""
    part = bite.part("explainer")
    text = " ".join(plain(part.body).split()) if part else ""
    first = SENTENCE_END.split(text)[0]
    return first if len(first) <= MOST_LETTERS else first[:MOST_LETTERS].rsplit(" ", 1)[0] + " …"


def _counted(bite: Bite) -> dict[str, Counter[int]]:
    """Word → how often it stands in each part, by the part's number. What a red flag says and a follow-up asks counts as a heading."""
    counts: dict[str, Counter[int]] = {}
    for number, anchor in enumerate(PARTS):
        part = bite.part(anchor)
        for word in words_of(plain(part.body)) if part else ():
            counts.setdefault(word, Counter())[number] += 1
    for anchor, texts in _headings(bite).items():
        for word in (word for text in texts for word in words_of(text)):
            counts.setdefault(word, Counter())[PARTS.index(anchor)] += HEADING
    return counts


def _headings(bite: Bite) -> dict[str, list[str]]:
    return {
        "red-flags": [flag.said for flag in bite.red_flags],
        "follow-ups": [follow_up.probe for follow_up in bite.follow_ups],
        "quiz": [question.text for question in bite.quiz],
    }


def telling_words(texts: Sequence[Mapping[str, Counter[int]]], bites: Sequence[Document]) -> list[dict[str, tuple[int, int]]]:
    """For each text its words by tf-idf: often here, seldom elsewhere. Those of the bite's entries are found already."""
    spread = Counter(word for words in texts for word in words)

    def weight(word: str, count: int) -> float:
        # +1 keeps the order by frequency where every text has the word.
        return (1 + math.log(count)) * (math.log(len(texts) / spread[word]) + 1)

    found = []
    for words, bite in zip(texts, bites, strict=True):
        known = {word for entry in bite.entries for word in words_of(entry)}
        others = {word: counts for word, counts in words.items() if word not in known}
        best = sorted(others, key=lambda word: (-weight(word, others[word].total()), word))[:MOST_WORDS]
        found.append({word: (_often(others[word].total()), others[word].most_common(1)[0][0]) for word in best})
    return found


def _often(count: int) -> int:
    return 0 if count == 1 else 1 if count < 4 else 2 if count < 9 else 3


def _notebooks(library: Library) -> Iterator[Document]:
    for notebook in library.notebooks.values():
        yield Document("notebook", (notebook.title, f"notebook {notebook.name}"), [notebook.name, notebook.title], {})


def _labs(library: Library) -> Iterator[Document]:
    """A simulator lies in its bite, and is found by what it shows and what can be moved in it."""
    for bite in library.bites:
        for fence in bite.fences:
            snippet = library.snippet_of(bite, fence)
            if snippet and snippet.simulator:
                lab = snippet.simulator
                controls = " ".join(control.label for control in lab.controls)
                place = f"{bite.url}#{bite.anchor_of(fence.src, fence.part)}"
                card: list[object] = [bite.slug, f"Lab · {bite.title}", lab.about, place]
                yield Document("lab", (f"{bite.title} lab simulator", lab.about, controls), card, {})


def _terms(library: Library) -> Iterator[Document]:
    for term in library.terms:
        words = (*term.words, *term.says.values())
        yield Document("term", tuple(dict.fromkeys(words)), [term.id, term.term, term.means], {})


def _planned(library: Library) -> Iterator[Document]:
    for entry in library.planned.values():
        if entry.slug not in library.by_slug:
            yield Document(
                "planned", (entry.title, entry.slug.replace("-", " ")), [entry.slug, entry.title, nearest(entry.slug, library)], {}
            )


def nearest(slug: str, library: Library) -> list[list[str]]:
    """The written bites closest to a planned one, as slug and title: what it builds on, what builds on it, its section."""
    entry = library.planned[slug]
    followers = [other.slug for other in library.planned.values() if slug in other.prereqs]
    # Prerequisites of prerequisites, should they not be written either.
    before = list(entry.prereqs)
    for other in before:
        before += [name for name in library.planned[other].prereqs if name not in before] if other in library.planned else []
    section = [bite.slug for bite in library.in_section(entry.section)]
    found = [name for name in dict.fromkeys([*before, *followers, *section]) if name in library.by_slug]
    return [[name, library.title_of(name)] for name in found[:NEAREST]]


def _rules_of_thumb(library: Library) -> Iterator[Document]:
    """What a bite says in a sentence, found by its name: the words of the sentence lead to the bite. What a rule refuses is left out."""
    for rule in library.rules_of_thumb:
        bite = library.by_slug.get(rule.bite)
        anchor = stands_in(rule, bite) if bite else ""
        if bite and anchor:
            said = rule.says[0].upper() + rule.says[1:]
            yield Document("rule", (rule.rule, "rule of thumb", "formula"), [bite.slug, rule.rule, said, f"{bite.url}#{anchor}"], {})


def _facts(library: Library) -> Iterator[Document]:
    """Those that were read somewhere. A computed one says "of those" and "the same": it is found by its bite."""
    for view in (view for view in fact_views(library) if not view.fact.formula):
        fact = view.fact
        # Most begin with their device: it is said once.
        said = " · ".join(condition for condition in view.conditions if not fact.what.startswith(condition))
        yield Document("fact", (f"{fact.what} {said} {fact.text}",), [fact.id, fact.text, fact.what, said], {})


def card_text(cards: Sequence[Document]) -> str:
    return json.dumps([document.card for document in cards], ensure_ascii=False, separators=(",", ":"))
